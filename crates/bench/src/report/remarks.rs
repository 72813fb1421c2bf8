//! The hand-written remarks of the report: what helped, what did not, and why a figure falls short.

use std::path::Path;

use anyhow::Result;

/// Everything below this line is kept when the report is regenerated.
const HEADING: &str = "## What helped, what did not, and what falls short";

/// Returns the remarks of the existing report.
///
/// # Errors
/// The report exists but cannot be read.
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
