//! What is said to who watches.

use std::io::Write;

/// A line on standard output.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// A line for who watches.
pub(crate) fn progress(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// The reason of a failure.
pub(crate) fn complain(line: &str) {
    progress(&format!("tidings-bench: {line}"));
}
