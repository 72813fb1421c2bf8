//! Output to the terminal.

use std::io::Write;

pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

pub(crate) fn progress(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

pub(crate) fn complain(line: &str) {
    progress(&format!("tidings-bench: {line}"));
}
