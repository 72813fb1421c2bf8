//! `tidings migrate`.

use serde_json::json;

use super::block_on;
use crate::failure::Failure;
use crate::logging;
use crate::output::{print_json, print_line};
use crate::settings::Settings;
use crate::wiring::Adapters;

/// Brings the schema up to date.
pub(crate) fn migrate(json: bool) -> Result<(), Failure> {
    let settings = Settings::load()?;
    logging::begin(&settings);
    let applied = block_on(async { Ok(Adapters::open(&settings).await?.storage.migrate().await?) })?;
    match (json, applied) {
        (true, applied) => print_json(&json!({ "applied": applied })),
        (false, 0) => print_line("The schema is up to date."),
        (false, 1) => print_line("Applied 1 migration."),
        (false, applied) => print_line(&format!("Applied {applied} migrations.")),
    }
    Ok(())
}
