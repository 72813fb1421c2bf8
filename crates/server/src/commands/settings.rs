//! `tidings settings`.

use serde::Serialize;

use crate::failure::Failure;
use crate::output::{print_json, print_line};
use crate::settings::{Effective, Settings};

/// The effective settings.
#[derive(Serialize)]
struct Standing {
    environment: String,
    settings: Vec<Effective>,
}

/// Prints the annotated defaults; as JSON, the effective settings with hidden secrets.
///
/// # Errors
/// [`Failure::Refused`] for invalid settings; not for the defaults.
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
