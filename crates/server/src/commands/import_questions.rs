//! Questions about a table at the terminal.

use std::io::{BufRead, Write};

use tidings_domain::imports::{Problem, TableOptions};

use crate::failure::Failure;

/// Asks about each undecided column. Returns whether all answers are valid.
pub(super) fn decide(problems: &[Problem], options: &mut TableOptions) -> Result<bool, Failure> {
    decide_from(&mut std::io::stdin().lock(), problems, options)
}

fn decide_from(lines: &mut impl BufRead, problems: &[Problem], options: &mut TableOptions) -> Result<bool, Failure> {
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

#[cfg(test)]
mod tests {
    use tidings_domain::tables::Format;

    use super::*;

    fn problem(column: &str, code: &'static str) -> Problem {
        Problem { column: column.to_owned(), code, message: "it must be decided".to_owned() }
    }

    #[test]
    fn answers_become_targets_and_formats() {
        let problems =
            [problem("Seit", "ambiguous_format"), problem("Notiz", "unknown_column"), problem("Mobil", "duplicate")];
        let columns = vec![("Mobil".to_owned(), "email".to_owned())];
        let mut options = TableOptions { columns, ..TableOptions::default() };
        let answers = " date:dd/mm/yyyy \r\n-\nphone\n";
        assert!(decide_from(&mut answers.as_bytes(), &problems, &mut options).unwrap());
        let pair = |heading: &str, is: &str| (heading.to_owned(), is.to_owned());
        assert_eq!(options.columns, [pair("Notiz", "-"), pair("Mobil", "phone")], "an answer replaces an earlier one");
        let format: Format = "date:dd/mm/yyyy".parse().unwrap();
        assert_eq!(options.formats, [("Seit".to_owned(), format)]);
    }

    #[test]
    fn an_empty_answer_or_another_problem_ends_the_questions() {
        let mut options = TableOptions::default();
        for (problem, answers) in [
            (problem("Notiz", "unknown_column"), "\n"),
            (problem("Notiz", "unknown_column"), ""),
            (problem("", "required"), "email\n"),
            (problem("Notiz", "required"), "email\n"),
        ] {
            assert!(!decide_from(&mut answers.as_bytes(), &[problem], &mut options).unwrap());
        }
        let wrong = [problem("Seit", "ambiguous_format")];
        assert!(decide_from(&mut "tomorrow\n".as_bytes(), &wrong, &mut options).is_err());
        assert_eq!(options, TableOptions::default());
    }
}
