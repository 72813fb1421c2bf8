//! Output to the terminal.

use std::io::Write;

/// Writes a line to standard output.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Writes a progress line to standard error.
pub(crate) fn progress(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Writes the reason of a failure to standard error.
pub(crate) fn complain(line: &str) {
    progress(&format!("tidings-bench: {line}"));
}
