//! Dates with the name of the month, such as `31 May 2026`, `31. Mai 2026` or `31 de mayo de 2026`, in typed answers.

use crate::text::fold;

/// The names of each month in English, German, French, Spanish and Portuguese, and their usual short forms, folded.
const MONTHS: [&[&str]; 12] = [
    &["january", "januar", "janner", "janvier", "enero", "janeiro", "jan", "janv", "ene"],
    &["february", "februar", "feber", "fevrier", "febrero", "fevereiro", "feb", "fevr", "fev"],
    &["march", "marz", "mars", "marzo", "marco", "mar", "mrz"],
    &["april", "avril", "abril", "apr", "avr", "abr"],
    &["may", "mai", "mayo", "maio"],
    &["june", "juni", "juin", "junio", "junho", "jun"],
    &["july", "juli", "juillet", "julio", "julho", "jul", "juil"],
    &["august", "aout", "agosto", "aug", "ago"],
    &["september", "septembre", "septiembre", "setiembre", "setembro", "sep", "sept", "set"],
    &["october", "oktober", "octobre", "octubre", "outubro", "oct", "okt", "out"],
    &["november", "novembre", "noviembre", "novembro", "nov"],
    &["december", "dezember", "decembre", "diciembre", "dezembro", "dec", "dez", "dic"],
];

/// Rewrites a date with a named month at the start of an answer as `2026-05-31`, and keeps the text behind it.
pub(crate) fn with_numbers(text: &str) -> Option<String> {
    let (mut day, mut month, mut year, mut rest) = (None, None, None, text);
    while year.is_none() {
        rest = rest.trim_start_matches([' ', ',', '.', '-', '/']);
        let end = rest.find([' ', ',', '.', '-', '/']).unwrap_or(rest.len());
        let (word, behind) = rest.split_at_checked(end).filter(|(word, _)| !word.is_empty())?;
        rest = behind;
        let digits = word.trim_end_matches(|c: char| !c.is_ascii_digit());
        let suffix = fold(word.get(digits.len()..).unwrap_or_default());
        let number = digits.parse::<u32>().ok();
        match (number, digits.len()) {
            (Some(number), 1 | 2) if day.is_none() && is_ordinal(&suffix) => day = Some(number),
            (Some(number), 4) if suffix.is_empty() => year = Some(number),
            (Some(_), _) => return None,
            (None, _) => match month_of(&fold(word)) {
                Some(number) if month.is_none() => month = Some(number),
                None if ["de", "del", "of", "the", "le"].contains(&suffix.as_str()) => {}
                Some(_) | None => return None,
            },
        }
    }
    Some(format!("{:04}-{:02}-{:02}{rest}", year?, month?, day?))
}

fn month_of(word: &str) -> Option<usize> {
    MONTHS.iter().position(|names| names.contains(&word)).map(|place| place + 1)
}

fn is_ordinal(suffix: &str) -> bool {
    ["", "st", "nd", "rd", "th", "er", "o"].contains(&suffix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewrites_dates_with_named_months() {
        for (text, expected) in [
            ("31 May 2026", "2026-05-31"),
            ("May 31st, 2026", "2026-05-31"),
            ("the 1st of June 2026", "2026-06-01"),
            ("31. Mai 2026 18:00", "2026-05-31 18:00"),
            ("3. März 2026", "2026-03-03"),
            ("1er août 2026", "2026-08-01"),
            ("31 de mayo de 2026", "2026-05-31"),
            ("1º de março de 2026", "2026-03-01"),
            ("31-Dec-2026", "2026-12-31"),
        ] {
            assert_eq!(with_numbers(text).as_deref(), Some(expected), "{text}");
        }
        for text in ["", "31.05.2026", "May 2026", "31 May", "31 May 26", "May May 2026", "31 foo 2026", "2026 May 31"]
        {
            assert_eq!(with_numbers(text), None, "{text}");
        }
    }

    #[test]
    fn each_name_has_one_month_and_is_folded() {
        let names: Vec<_> = MONTHS.iter().flat_map(|names| names.iter()).collect();
        let unique: std::collections::BTreeSet<_> = names.iter().collect();
        assert!(unique.len() == names.len() && names.iter().all(|it| fold(it) == **it));
    }
}
