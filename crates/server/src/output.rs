//! Answers of commands on standard output.

use std::io::{Write, stdout};

use serde::Serialize;

/// Prints one object as a line of JSON.
pub(crate) fn print_json(value: &impl Serialize) {
    match serde_json::to_string(value) {
        Ok(text) => print_line(&text),
        Err(error) => tracing::error!(%error, "the output could not be written"),
    }
}

/// Prints a line at once; whoever has stopped reading is not told.
pub(crate) fn print_line(line: &str) {
    let mut out = stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// A list in the API's shape.
#[derive(Serialize)]
pub(crate) struct Listed<T> {
    data: Vec<T>,
    next_cursor: Option<String>,
}

impl<T> Listed<T> {
    /// All there is.
    pub(crate) fn all(data: Vec<T>) -> Self {
        Self { data, next_cursor: None }
    }
}
