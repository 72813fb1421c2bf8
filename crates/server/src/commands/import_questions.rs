//! Questions about a table at the terminal.

use std::io::{BufRead, Write};

use tidings_domain::imports::{Problem, TableOptions};

use crate::failure::Failure;

/// Asks about each undecided column. Returns whether all answers are valid.
pub(super) fn decide(problems: &[Problem], options: &mut TableOptions) -> Result<bool, Failure> {
    let mut lines = std::io::stdin().lock();
    let mut ask = |question: &str| -> Result<String, Failure> {
        let mut answer = String::new();
        eprint!("{question} ");
        let read = std::io::stderr().flush().and_then(|()| lines.read_line(&mut answer));
        read.map_err(|error| Failure::with_advice(format!("the answer could not be read: {error}")))?;
        Ok(answer.trim().to_owned())
    };
    for problem in problems.iter().filter(|it| !it.column.is_empty()) {
        let Problem { column, code, message } = problem;
        let is_format = *code == "ambiguous_format" || *code == "invalid_format";
        if !is_format && !["unknown_column", "unconfirmed_column", "duplicate"].contains(code) {
            return Ok(false);
        }
        eprintln!("Column `{column}`: {message}.");
        let answer = ask(if is_format { "Format:" } else { "Target, or - to skip the column:" })?;
        if answer.is_empty() {
            return Ok(false);
        }
        if is_format {
            let format = answer.parse().map_err(|error| Failure::with_advice(format!("{error}")))?;
            options.formats.retain(|(heading, _)| heading != column);
            options.formats.push((column.clone(), format));
        } else {
            options.columns.retain(|(heading, _)| heading != column);
            options.columns.push((column.clone(), answer));
        }
    }
    Ok(problems.iter().all(|it| !it.column.is_empty()))
}
