//! What people wrote into the report: what helped, what did not, and why a figure falls short.

use std::path::Path;

use anyhow::Result;

/// All below this line is kept when the report is made anew.
const HEADING: &str = "## What helped, what did not, and what falls short";

/// The remarks of the report that is there.
///
/// # Errors
/// Where it is there and cannot be read.
pub(super) fn of(report: &Path) -> Result<String> {
    if !report.exists() {
        return Ok(format!("{HEADING}\n\nNothing is written here yet.\n"));
    }
    let old = std::fs::read_to_string(report)?;
    Ok(match old.split_once(HEADING) {
        Some((_, remarks)) => format!("{HEADING}{remarks}"),
        None => format!("{HEADING}\n\nNothing is written here yet.\n"),
    })
}
