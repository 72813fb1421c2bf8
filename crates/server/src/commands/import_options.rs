//! The options of an import that repeat the reading of a check.

use tidings_domain::imports::{ImportCheck, ImportParameter};
use tidings_domain::tables::{Format, Target};

/// Returns the options that repeat the parameters of a check, quoted for a shell.
pub(super) fn repeated_options(check: &ImportCheck) -> String {
    let option = |it: &ImportParameter| {
        let value = pair(check, it).map_or_else(|| it.value.clone(), |(heading, is)| format!("{heading}={is}"));
        format!("--{} {}", it.name, quoted(&value))
    };
    check.parameters.iter().map(option).collect::<Vec<_>>().join(" ")
}

/// Returns the heading of a parameter, and its target or format. Both may contain `:`.
fn pair<'c>(check: &'c ImportCheck, it: &'c ImportParameter) -> Option<(&'c str, &'c str)> {
    let is_value = |text: &str| match it.name.as_str() {
        "column" => Target::parse(text).is_some(),
        "format" => text.parse::<Format>().is_ok(),
        _ => false,
    };
    check.columns.iter().find_map(|column| {
        let is = it.value.strip_prefix(column.heading.as_str())?.strip_prefix(':')?;
        is_value(is).then_some((column.heading.as_str(), is))
    })
}

/// Double quotes work in all shells, unless the text has signs that a shell replaces.
fn quoted(text: &str) -> String {
    if text.contains(['"', '$', '`', '\\', '!']) {
        format!("'{}'", text.replace('\'', r"'\''"))
    } else {
        format!("\"{text}\"")
    }
}

#[cfg(test)]
mod tests {
    use tidings_domain::contacts::OnError;
    use tidings_domain::imports::{Plan, TableGuess, TableOptions};

    use super::*;

    fn checked(table: &[u8], columns: &[(&str, &str)]) -> ImportCheck {
        let columns = columns.iter().map(|(heading, is)| ((*heading).to_owned(), (*is).to_owned())).collect();
        let options = TableOptions { columns, ..TableOptions::default() };
        let mut guess = TableGuess::new(&options, &[]);
        guess.push(table).unwrap();
        let guessed = guess.finish().unwrap();
        let plan = Plan::of(&guessed, &options, OnError::SkipCell, "UTC");
        ImportCheck::of(&guessed, &plan, None)
    }

    #[test]
    fn repeats_the_reading_of_a_check_as_options() {
        let table = b"E-Mail;Zeit: jetzt;Preis \"$\";Tags\r\nada@example.com;J\xfcrgen;5;a|b\r\n";
        let check = checked(table, &[("Zeit: jetzt", "first_name"), ("Preis \"$\"", "-")]);
        let expected = [
            r#"--encoding "windows-1252" --delimiter ";" --column "E-Mail=email" --format "E-Mail=text""#,
            r#"--column "Zeit: jetzt=first_name" --format "Zeit: jetzt=text" --column 'Preis "$"=-'"#,
            r#"--column "Tags=tags" --format "Tags=list:|""#,
        ];
        assert_eq!(repeated_options(&check), expected.join(" "));
    }

    #[test]
    fn omits_columns_that_must_be_decided() {
        let check = checked(b"email,Notes\nada@example.com,x\n", &[]);
        assert!(!check.ready && !repeated_options(&check).contains("Notes"), "{check:?}");
    }
}
