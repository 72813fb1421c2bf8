use super::*;
use crate::cells::{Value, parse};
use crate::names::NameOrder;
use proptest::prelude::*;

/// The outcome in one line: formats, failures, and samples of proposals.
fn shown(guess: &Guess) -> String {
    let proposal = |it: &Proposal| {
        let sample = it.sample.as_ref().map(|it| format!("={}", it.value)).unwrap_or_default();
        let failures = if it.failures > 0 { format!(" -{}", it.failures) } else { String::new() };
        format!("{}{sample}{failures}", it.format)
    };
    match &guess.outcome {
        Outcome::Empty(format) => format!("empty {format}"),
        Outcome::Fits(format) => format.to_string(),
        Outcome::Undecided(proposals) => {
            format!("? {}", proposals.iter().map(proposal).collect::<Vec<_>>().join(" | "))
        }
        Outcome::Misfits(best) => format!("! {}", proposal(best)),
    }
}

fn guess_with(kind: ColumnKind, cells: &[&str], locales: &[&str], country: &str) -> Guess {
    let hints =
        Hints { locales: locales.iter().map(|it| (*it).to_owned()).collect(), country: Country::parse(country) };
    let mut guess = ColumnGuess::new(kind, Options::new(["Gold", "Silver", "Berlin, Mitte"]), hints);
    for (row, cell) in (2..).zip(cells) {
        guess.add(row, cell);
    }
    guess.finish()
}

fn guess(kind: ColumnKind, cells: &[&str]) -> String {
    shown(&guess_with(kind, cells, &[], ""))
}

#[test]
fn numbers_are_decided_over_all_cells() {
    for (cells, expected) in [
        (&["12", "7"][..], "number:1234.5"),
        (&["12.5", "3.75"], "number:1234.5"),
        (&["12,5", "1.234,5"], "number:1.234,5"),
        (&["1.234", "12.5"], "number:1234.5"),
        (&["1.234", "12,5"], "number:1.234,5"),
        (&["1.234", "1.234.567"], "number:1.234,5"),
        (&["1,000", "1,000,000"], "number:1,234.5"),
        (&["1\u{a0}234,5", "7"], "number:1 234,5"),
        (&["1'234.50"], "number:1'234.5"),
        (&["1.234"], "? number:1234.5=1.234 | number:1.234,5=1234"),
        (&["1,000", "5"], "? number:1234,5=1 | number:1,234.5=1000"),
        (&["", "  "], "empty number:1234.5"),
        (&["12.5", "x", "7"], "! number:1234.5 -1"),
        (&["1.234", "#N/A"], "? number:1234.5=1.234 -1 | number:1.234,5=1234 -1"),
        (&["12,5", "12.5", "1"], "? number:1234.5 -1 | number:1234,5 -1"),
    ] {
        assert_eq!(guess(ColumnKind::Number, cells), expected, "{cells:?}");
    }
}

#[test]
fn dates_are_decided_over_all_cells() {
    for (cells, expected) in [
        (&["2026-05-31", ""][..], "date:yyyy-mm-dd"),
        (&["31.05.2026", "1.2.2026"], "date:dd.mm.yyyy"),
        (&["03/04/2026", "31/05/2026"], "date:dd/mm/yyyy"),
        (&["03/04/2026", "05/31/2026"], "date:mm/dd/yyyy"),
        (&["03/03/2026", "4/4/2026"], "date:dd/mm/yyyy"),
        (&["03/04/2026"], "? date:dd/mm/yyyy=2026-04-03 | date:mm/dd/yyyy=2026-03-04"),
        (&["03-04-2026"], "? date:dd-mm-yyyy=2026-04-03 | date:mm-dd-yyyy=2026-03-04"),
        (&["31/05/2026", "05/31/2026"], "? date:dd/mm/yyyy -1 | date:mm/dd/yyyy -1"),
        (&["31.05.2026", "45291", "31.05.26"], "! date:dd.mm.yyyy -2"),
        (&["31.05.2026 00:00"], "date:dd.mm.yyyy"),
        // The best format is the one with the form of the dates, not the first one.
        (&["31.05.2026 18:00"], "! date:dd.mm.yyyy -1"),
        (&["05/31/2026 18:00", "05/30/2026 18:00"], "! date:mm/dd/yyyy -2"),
        (&["x"], "! date:yyyy-mm-dd -1"),
    ] {
        assert_eq!(guess(ColumnKind::Date, cells), expected, "{cells:?}");
    }
}

#[test]
fn date_times_have_one_form_with_a_zone_or_without() {
    for (cells, expected) in [
        (&["31.05.2026 18:00"][..], "date_time:dd.mm.yyyy"),
        (&["2026-05-31T18:00:00Z", "2026-05-31 18:00 +02:00"], "date_time:yyyy-mm-dd+zone"),
        (&["5/31/2026 6:00 PM"], "date_time:mm/dd/yyyy"),
        (&["31.05.2026"], "date:dd.mm.yyyy"),
        (
            &["03/04/2026 18:00"],
            "? date_time:dd/mm/yyyy=2026-04-03T18:00:00 | date_time:mm/dd/yyyy=2026-03-04T18:00:00",
        ),
        (&["31.05.2026 18:00", "31.05.2026 18:00", "31.05.2026"], "! date_time:dd.mm.yyyy -1"),
    ] {
        assert_eq!(guess(ColumnKind::DateTime, cells), expected, "{cells:?}");
    }
}

#[test]
fn locales_order_the_proposals_and_never_decide() {
    let dates = |locales: &[&str]| shown(&guess_with(ColumnKind::Date, &["03/04/2026"], locales, ""));
    assert!(dates(&["en-US"]).starts_with("? date:mm/dd/yyyy"));
    assert!(dates(&["de"]).starts_with("? date:dd/mm/yyyy"));
    assert!(dates(&["en", "en-US"]).starts_with("? date:mm/dd/yyyy"), "the next locale orders if the first does not");
    let numbers = |locales: &[&str]| shown(&guess_with(ColumnKind::Number, &["1.234"], locales, ""));
    assert!(numbers(&["de"]).starts_with("? number:1.234,5"));
    assert!(numbers(&["en"]).starts_with("? number:1234.5"));
    for (locales, country, first) in
        [(&["en"][..], "US", "mm/dd/yyyy"), (&["en"], "DE", "dd/mm/yyyy"), (&["de"], "US", "dd/mm/yyyy")]
    {
        let dates = shown(&guess_with(ColumnKind::Date, &["03/04/2026"], locales, country));
        assert!(dates.starts_with(&format!("? date:{first}")), "{locales:?} {country}: {dates}");
    }
}

#[test]
fn lists_are_split_at_the_separator_that_occurs() {
    for (cells, expected) in [
        (&["a", "b"][..], "list:,"),
        (&["a, b", "c"], "list:,"),
        (&["a;b", "c"], "list:;"),
        (&["a\nb"], "list:line"),
        (&["* myContacts ::: Friends"], "list:::: "),
        (&["[\"a,b\"]", "[]"], "list:json"),
        (&["a,b", "c;d"], "? list:,=a|b | list:;=a,b"),
    ] {
        assert_eq!(guess(ColumnKind::List, cells), expected.trim_end(), "{cells:?}");
    }
    assert_eq!(guess(ColumnKind::Choices, &["gold;SILVER"]), "choices:;");
    assert_eq!(guess(ColumnKind::Choices, &["Berlin, Mitte"]), "choices:;");
    assert_eq!(guess(ColumnKind::Choices, &["gold, bronze"]), "! choices:, -1");
}

#[test]
fn phones_need_a_country_code_or_a_default_country() {
    let phones = |cells: &[&str], country| shown(&guess_with(ColumnKind::Phone, cells, &[], country));
    for (cells, country, expected) in [
        (&["+49 30 1234567", "0041 44 668 18 00"][..], "", "phone"),
        (&["+49 30 1234567", "030 1234567"], "", "! phone -1"),
        (&["+49 30 1234567", "030 1234567"], "DE", "phone:DE"),
        (&["491701234567"], "", "? phone:digits"),
        (&["491701234567"], "DE", "? phone:digits"),
        (&["4.9E+11", "+49 30 1234567"], "", "! phone -1"),
        (&["(415) 555-0100"], "US", "phone:US"),
    ] {
        let shown = phones(cells, country);
        let shown = shown.split('=').next().unwrap_or_default();
        assert_eq!(shown, expected, "{cells:?} {country}");
    }
}

#[test]
fn other_kinds_have_one_format() {
    for (kind, cells, expected) in [
        (ColumnKind::YesNo { is_inverted: false }, &["x", "", "X"][..], "yes_no"),
        (ColumnKind::YesNo { is_inverted: true }, &["TRUE", "FALSE"], "yes_no:inverted"),
        (ColumnKind::YesNo { is_inverted: false }, &["ja", "vielleicht"], "! yes_no -1"),
        (ColumnKind::Text, &["a", "#N/A"], "! text -1"),
        (ColumnKind::Id, &["4711", "4.9E+11"], "! id -1"),
        (ColumnKind::FullName { order: NameOrder::FirstLast }, &["Ada Lovelace", "Lovelace, Ada"], "full_name"),
        (ColumnKind::FullName { order: NameOrder::LastFirst }, &["Lovelace Ada", ""], "full_name:last_first"),
        (ColumnKind::TimeZone, &["europe/berlin"], "time_zone"),
        (ColumnKind::Locale, &["de_DE"], "locale"),
        (ColumnKind::Choice, &["GOLD", "silver"], "choice"),
    ] {
        assert_eq!(guess(kind, cells), expected, "{cells:?}");
    }
}

#[test]
fn reports_the_first_three_misfits_with_row_reason_and_accepted_form() {
    let guess = guess_with(ColumnKind::Date, &["31.05.2026", "45291", "31.05.26", "#NV", "x", "1.1.2026"], &[], "");
    let Outcome::Misfits(best) = guess.outcome else { panic!("{guess:?}") };
    assert_eq!((best.format.to_string().as_str(), best.failures), ("date:dd.mm.yyyy", 4));
    let misfits: Vec<_> = best.misfits.iter().map(|it| (it.row, it.error.value.as_str(), it.error.reason)).collect();
    assert_eq!(
        misfits,
        [
            (3, "45291", Reason::SerialNumber),
            (4, "31.05.26", Reason::TwoDigitYear),
            (5, "#NV", Reason::SpreadsheetError)
        ]
    );
    assert_eq!(best.misfits[0].error.accepted, "`31.05.2026`");
    assert_eq!((guess.filled, guess.empty), (6, 0));
}

#[test]
fn a_given_format_is_checked() {
    let mut check = ColumnGuess::of_format("date:mm/dd/yyyy".parse().unwrap(), Options::default());
    for cell in ["03/04/2026", "31/05/2026"] {
        check.add(2, cell);
    }
    assert_eq!(shown(&check.finish()), "! date:mm/dd/yyyy -1");
}

/// Cells that resemble values of a kind, many of them in several formats.
fn cells_of(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Number => r"-?[0-9]{1,3}([.,' ][0-9]{3}){0,2}([.,][0-9]{1,3})?|[0-9]{1,2}|x",
        ColumnKind::Date | ColumnKind::DateTime => {
            r"(0?[1-9]|1[0-9]|3[01])[./-](0?[1-9]|1[0-9])[./-](2026|26)( 0?[0-9]:00(Z| pm)?)?|2026-0[1-9]-1[0-9]( 00:00)?|45291"
        }
        ColumnKind::Phone => r"(\+|00)?(49|1|41)?0?[0-9]{6,10}|4\.9E\+11",
        _ => r#"[ab]([,;|\n][ab]){0,2}|\["a"\]|"a,b"|Gold"#,
    }
}

/// A day as the date-time of its midnight, which importers of date-times read in it.
fn at_midnight(value: Value) -> Value {
    let Value::Date(day) = value else { return value };
    Value::DateTime(crate::times::Moment::Local(day.and_time(chrono::NaiveTime::MIN)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn a_decided_format_is_the_only_reading_of_all_cells(
        (kind, cells) in prop_oneof![
            Just(ColumnKind::Number), Just(ColumnKind::Date), Just(ColumnKind::DateTime), Just(ColumnKind::Phone),
            Just(ColumnKind::List), Just(ColumnKind::Choices),
        ].prop_flat_map(|kind| (Just(kind), proptest::collection::vec(cells_of(kind), 1..6))),
    ) {
        let options = || Options::new(["a", "b", "a,b", "Gold"]);
        let country = Country::parse("DE");
        let read = |format| -> Vec<Result<Option<Value>, CellError>> {
            cells.iter().map(|cell| parse(cell, format, &options()).map(|it| it.map(at_midnight))).collect()
        };
        let mut guess = ColumnGuess::new(kind, options(), Hints { country, ..Hints::default() });
        cells.iter().for_each(|cell| guess.add(2, cell));
        let failures = |format| read(format).iter().filter(|it| it.is_err()).count() as u64;
        match guess.finish().outcome {
            Outcome::Fits(format) => {
                prop_assert_eq!(failures(format), 0);
                // Lists are decided by the separator that occurs, and phones by the default country.
                if matches!(kind, ColumnKind::Number | ColumnKind::Date | ColumnKind::DateTime) {
                    for other in kind.formats(country) {
                        prop_assert!(failures(other) > 0 || read(other) == read(format), "{} {}", format, other);
                    }
                }
            }
            Outcome::Undecided(proposals) => {
                for proposal in &proposals {
                    prop_assert_eq!(failures(proposal.format), proposal.failures);
                    let other = proposals.iter().find(|it| it.format != proposal.format);
                    prop_assert!(other.is_none_or(|other| read(other.format) != read(proposal.format)));
                }
            }
            Outcome::Misfits(best) => {
                prop_assert_eq!(failures(best.format), best.failures);
                prop_assert!(best.failures > 0 && best.misfits.len() as u64 == best.failures.min(3));
                prop_assert!(kind.formats(country).into_iter().all(|it| failures(it) >= best.failures));
            }
            Outcome::Empty(_) => prop_assert!(false, "no cell is empty"),
        }
    }
}
