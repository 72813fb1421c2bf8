//! `tidings settings`.

use serde::Serialize;

use crate::failure::Failure;
use crate::output::{print_json, print_line};
use crate::settings::{Effective, Settings};

/// The settings as they stand.
#[derive(Serialize)]
struct Standing {
    environment: String,
    settings: Vec<Effective>,
}

/// Prints the annotated defaults; as JSON, each setting as it stands, secrets hidden.
///
/// # Errors
/// [`Failure::Refused`] where the settings cannot be used, of which the defaults need nothing.
pub(crate) fn print_settings(json: bool) -> Result<(), Failure> {
    if json {
        Settings::load()?;
        let (environment, settings) = Settings::effective();
        print_json(&Standing { environment, settings });
    } else {
        print_line(Settings::defaults().trim_end());
    }
    Ok(())
}
