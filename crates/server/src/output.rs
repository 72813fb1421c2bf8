//! The output of commands on standard output.

use std::io::{Write, stdout};

use serde::Serialize;

pub(crate) fn print_json(value: &impl Serialize) {
    match serde_json::to_string(value) {
        Ok(text) => print_line(&text),
        Err(error) => tracing::error!(%error, "the output could not be written"),
    }
}

/// Prints a line and flushes. A closed output is ignored.
pub(crate) fn print_line(line: &str) {
    let mut out = stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// A list, as in the API.
#[derive(Serialize)]
pub(crate) struct Listed<T> {
    data: Vec<T>,
    next_cursor: Option<String>,
}

impl<T> Listed<T> {
    /// Returns a complete list.
    pub(crate) fn all(data: Vec<T>) -> Self {
        Self { data, next_cursor: None }
    }
}
