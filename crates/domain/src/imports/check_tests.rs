//! Checks of tables, over the store in memory.

use serde_json::json;

use super::*;
use crate::imports::ImportView;
use crate::platform::WorkspacePatch;

fn checked(world: &World, text: &[u8], options: TableOptions) -> ImportCheck {
    let new = NewImport { options, ..NewImport::of(text) };
    block_on(world.tidings.imports.check(&world.access, &new)).unwrap()
}

fn field(world: &World, key: &str, kind: FieldKind) {
    let (name, rules) = (key.to_owned(), Rules::default());
    let field = NewCustomField { key: Some(key.to_owned()), name, kind, options: Vec::new(), rules };
    block_on(world.tidings.fields.create(&world.access, field, None)).unwrap();
}

fn ada() -> ContactRef {
    ContactRef::Email("ada@example.com".parse().unwrap())
}

fn column(from: &ImportCheck, place: usize) -> (ColumnState, Option<&str>, Option<&str>, u64) {
    let it = &from.columns[place];
    (it.state, it.target.as_deref(), it.format.as_deref(), it.failing)
}

/// Returns the options that repeat the parameters of a check.
fn repeated(check: &ImportCheck) -> TableOptions {
    fn of<'c>(check: &'c ImportCheck, name: &'c str) -> impl Iterator<Item = String> + 'c {
        check.parameters.iter().filter(move |it| it.name == name).map(|it| it.value.clone())
    }
    let pair = |value: String| {
        let (heading, is) = value.split_once(':').unwrap();
        (heading.to_owned(), is.to_owned())
    };
    TableOptions {
        encoding: of(check, "encoding").next().map(|it| it.parse().unwrap()),
        delimiter: of(check, "delimiter").next().map(|it| it.parse().unwrap()),
        columns: of(check, "column").map(pair).collect(),
        formats: of(check, "format").map(pair).map(|(heading, is)| (heading, is.parse().unwrap())).collect(),
        country: None,
    }
}

/// A table from Excel in German: Windows-1252, semicolons, decimal commas, and dates with points.
const GERMAN: &[u8] = b"E-Mail;Vorname;Umsatz;seit;Notiz\r\nada@example.com;J\xfcrgen;1.234,50;31.05.2026;x\r\n\
    bob@example.com;Bob;12,5;01.06.2026;\r\nnobody;Eve;viel;02.06.2026;\r\n";

#[test]
fn checks_and_imports_a_german_spreadsheet() {
    let world = world();
    field(&world, "umsatz", FieldKind::Number);
    field(&world, "seit", FieldKind::Date);
    let check = checked(&world, GERMAN, TableOptions::default());
    assert_eq!((check.encoding.as_str(), check.delimiter.as_str(), check.rows), ("windows-1252", ";", 3));
    assert_eq!(column(&check, 0), (ColumnState::Matched, Some("email"), Some("text"), 1));
    assert_eq!(column(&check, 2).2, Some("number:1.234,5"));
    assert_eq!(column(&check, 3).2, Some("date:dd.mm.yyyy"));
    assert_eq!(column(&check, 4), (ColumnState::Unknown, None, None, 0));
    let problems: Vec<_> = check.problems.iter().map(|it| (it.column.as_str(), it.code.as_str())).collect();
    assert_eq!((check.ready, problems), (false, vec![("Notiz", "unknown_column")]));
    assert_eq!(world.contacts(), 0, "a check stores nothing");

    let columns = vec![("Notiz".to_owned(), "-".to_owned())];
    let check = checked(&world, GERMAN, TableOptions { columns, ..TableOptions::default() });
    assert!(check.ready, "{:?}", check.problems);
    assert_eq!((column(&check, 0).3, column(&check, 2).3), (1, 1), "each wrong cell is counted: {check:?}");
    assert_eq!(check.columns[2].failures[0].value, "viel");
    assert_eq!(check.columns[4].state, ColumnState::Skipped);

    let options = repeated(&check);
    assert_eq!(
        checked(&world, GERMAN, options.clone()).parameters,
        check.parameters,
        "the returned parameters give the same check"
    );
    let import = world.taken(NewImport { options, on_error: OnError::SkipCell, ..NewImport::of(GERMAN) });
    assert_eq!((import.status, done(&import), import.counts.skipped_cells), (ImportStatus::Completed, [2, 0, 0, 1], 0));
    let ada = block_on(world.tidings.contacts.get(&world.access, &ada())).unwrap();
    assert_eq!(ada.first_name.as_deref(), Some("Jürgen"));
    let values: Vec<_> = ada.custom_fields.values().map(ToString::to_string).collect();
    assert_eq!(values.len(), 2, "{values:?}");
}

#[test]
fn times_at_a_clock_change_are_imported_and_counted() {
    let world = world();
    let patch = WorkspacePatch { time_zone: "Europe/Berlin".parse().ok(), ..WorkspacePatch::default() };
    field(&world, "since", FieldKind::Datetime);
    let text =
        "email,since\na@example.com,2026-03-29 02:30\nb@example.com,2026-10-25 02:30\nc@example.com,2026-10-25 12:00\n";
    block_on(world.tidings.platform.update_workspace(&world.access, patch, &ExpectedVersion::Any)).unwrap();
    let check = checked(&world, text.as_bytes(), TableOptions::default());
    assert_eq!((check.columns[1].clock_changes, check.columns[0].clock_changes, check.ready), (2, 0, true));
    let import = world.taken(table(text));
    assert_eq!((done(&import), import.counts.clock_changes), ([3, 0, 0, 0], 2));
    let since = |email: &str| {
        let contact = ContactRef::Email(email.parse().unwrap());
        block_on(world.tidings.contacts.get(&world.access, &contact)).unwrap().custom_fields.get("since").cloned()
    };
    assert_eq!(since("a@example.com"), Some(json!("2026-03-29T01:00:00.000Z")), "the first instant after the gap");
    assert_eq!(since("b@example.com"), Some(json!("2026-10-25T00:30:00.000Z")), "the earlier of both instants");
}

#[test]
fn a_column_with_a_problem_is_not_among_the_parameters() {
    let world = world();
    let check = checked(&world, b"email;Shoe size\nada@example.com;39\n", TableOptions::default());
    assert!(check.problems.iter().any(|it| it.column == "Shoe size"), "{check:?}");
    let columns: Vec<_> = check.parameters.iter().filter(|it| it.name == "column").map(|it| &*it.value).collect();
    assert_eq!(columns, ["email:email"]);
}

#[test]
fn skips_all_columns_with_the_same_heading() {
    let world = world();
    let text = "email;Ort;first_name;Ort\nada@example.com;Bonn;Ada;Ulm\n".as_bytes();
    let check = checked(&world, text, TableOptions::default());
    let problems: Vec<_> = check.problems.iter().map(|it| (it.column.as_str(), it.code.as_str())).collect();
    assert_eq!(problems, [("Ort", "unknown_column"), ("Ort", "unknown_column")]);
    let columns = vec![("Ort".to_owned(), "-".to_owned())];
    let check = checked(&world, text, TableOptions { columns, ..TableOptions::default() });
    assert!(check.ready, "{:?}", check.problems);
    assert_eq!(check.parameters.iter().filter(|it| it.value == "Ort:-").count(), 1, "{:?}", check.parameters);
    let import = world.taken(NewImport { options: repeated(&check), ..NewImport::of(text) });
    assert_eq!(done(&import), [1, 0, 0, 0]);
}

#[test]
fn an_import_lists_the_columns_that_it_ignores() {
    let world = world();
    let text = "created_at;email;Notiz;;Leer;name;first_name;last_name\n\
                2026-01-01;ada@example.com;x;;;Ada L.;Ada;Lovelace\n";
    let columns = ["Notiz", "Leer"].map(|it| (it.to_owned(), "-".to_owned())).to_vec();
    let options = TableOptions { columns, ..TableOptions::default() };
    let import = world.taken(NewImport { options, ..NewImport::of(text.as_bytes()) });
    assert_eq!(done(&import), [1, 0, 0, 0]);
    let view = ImportView::from(&world.get(&import).unwrap());
    assert_eq!(view.ignored_columns, ["created_at", "Notiz", "name"], "a column without cells is not ignored");

    let long: Vec<_> = (0..120).map(|it| format!("{it}{}", "ä".repeat(100))).collect();
    let text = format!("email;{}\nada@example.com{}\n", long.join(";"), ";x".repeat(long.len()));
    let columns = long.iter().map(|it| (it.clone(), "-".to_owned())).collect();
    let options = TableOptions { columns, ..TableOptions::default() };
    let import = world.start(NewImport { options, ..NewImport::of(text.as_bytes()) }).unwrap();
    let ignored = ImportView::from(&import).ignored_columns;
    assert_eq!(ignored.len(), 100);
    assert!(ignored.iter().all(|it| it.chars().count() == 61 && it.ends_with('…')), "{ignored:?}");
}

#[test]
fn the_heading_decides_whether_names_begin_with_the_last_name() {
    let world = world();
    let text = "E-Mail;Name, Vorname\nada@example.com;Lovelace, Ada\neve@example.com;van der Berg Eve\n".as_bytes();
    let name_of = |email: &str| {
        let contact = ContactRef::Email(email.parse().unwrap());
        let found = block_on(world.tidings.contacts.get(&world.access, &contact)).unwrap();
        (found.first_name.unwrap_or_default(), found.last_name.unwrap_or_default())
    };
    let pair = |first: &str, last: &str| (first.to_owned(), last.to_owned());
    let check = checked(&world, text, TableOptions::default());
    assert_eq!(column(&check, 1), (ColumnState::Matched, Some("name"), Some("full_name:last_first"), 0));
    world.taken(NewImport { options: repeated(&check), ..NewImport::of(text) });
    assert_eq!(name_of("ada@example.com"), pair("Ada", "Lovelace"));
    assert_eq!(name_of("eve@example.com"), pair("Eve", "van der Berg"));

    let formats = vec![("Name, Vorname".to_owned(), "full_name".parse().unwrap())];
    world.taken(NewImport { options: TableOptions { formats, ..TableOptions::default() }, ..NewImport::of(text) });
    assert_eq!(name_of("ada@example.com"), pair("Ada", "Lovelace"), "the comma decides in both orders");
    assert_eq!(name_of("eve@example.com"), pair("van", "der Berg Eve"));
}

#[test]
fn skips_or_maps_a_column_without_a_heading_by_its_position() {
    let world = world();
    let text = "email;;;first_name\nada@example.com;Lovelace;;Ada\nbob@example.com;;;Bob\n".as_bytes();
    let check = checked(&world, text, TableOptions::default());
    let problems: Vec<_> = check.problems.iter().map(|it| (it.column.as_str(), it.code.as_str())).collect();
    assert_eq!(problems, [("#2", "unknown_column")], "an empty column needs no decision");
    assert!(check.problems[0].message.contains("`column=#2:-`"), "{check:?}");
    for (target, last_name) in [("-", None), ("last_name", Some("Lovelace"))] {
        let columns = vec![("#2".to_owned(), target.to_owned())];
        let check = checked(&world, text, TableOptions { columns, ..TableOptions::default() });
        assert!(check.ready && check.parameters.iter().any(|it| it.value == format!("#2:{target}")), "{check:?}");
        let import = world.taken(NewImport { options: repeated(&check), ..NewImport::of(text) });
        assert_eq!((import.status, import.columns[1].as_str()), (ImportStatus::Completed, "#2"));
        let ada = block_on(world.tidings.contacts.get(&world.access, &ada())).unwrap();
        assert_eq!(ada.last_name.as_deref(), last_name);
    }
}

#[test]
fn a_check_of_many_long_headings_is_about_as_long_as_the_table() {
    let world = world();
    let headings: Vec<String> =
        (1..=190).map(|it| format!("email{}{}", "-".repeat(300), ".".repeat(it % 20))).collect();
    let text = format!("{}\n{}\n", headings.join(","), vec!["ada@example.com"; 190].join(","));
    let columns = (0..190).map(|it| (format!("absent {it}"), "-".to_owned())).collect();
    for options in [TableOptions::default(), TableOptions { columns, ..TableOptions::default() }] {
        let check = checked(&world, text.as_bytes(), options);
        assert!(check.columns.iter().all(|it| it.other_columns.len() <= 10), "{:?}", check.columns[0]);
        let length = serde_json::to_string(&check).unwrap().len();
        assert!(length < 20 * text.len(), "{length} bytes for {}", text.len());
    }
}

#[test]
fn a_skipped_cell_is_reported_and_keeps_the_value() {
    let world = world();
    let text = "email;time_zone;first_name\nada@example.com;Europe/Berlin;Ada\nada@example.com;Nowhere;Eve\n";
    let import = world.taken(NewImport { on_error: OnError::SkipCell, ..table(text) });
    assert_eq!((done(&import), import.counts.skipped_cells), ([1, 1, 0, 0], 1));
    assert_eq!(world.rejected(&import), [(3, "time_zone".to_owned(), "not_a_time_zone".to_owned())]);
    let ada = block_on(world.tidings.contacts.get(&world.access, &ada())).unwrap();
    assert_eq!(ada.time_zone.map(|it| it.to_string()).as_deref(), Some("Europe/Berlin"));
    assert_eq!(ada.first_name.as_deref(), Some("Eve"));
}

#[test]
fn rejects_ambiguous_columns_with_the_parameter_to_set() {
    let world = world();
    field(&world, "since", FieldKind::Date);
    let refused = |text: &str, options: TableOptions| {
        let new = NewImport { options, ..NewImport::of(text.as_bytes()) };
        match block_on(world.tidings.imports.start(&world.access, new, None)) {
            Err(Error::Invalid(wrong)) => (wrong[0].code, wrong[0].message.clone()),
            other => panic!("{other:?}"),
        }
    };
    let dates = "email,since\nada@example.com,03/04/2026\n";
    let (code, message) = refused(dates, TableOptions::default());
    assert_eq!(code, "ambiguous_format");
    for part in ["`format=since:date:mm/dd/yyyy` reads `03/04/2026` as 2026-03-04", "date:dd/mm/yyyy"] {
        assert!(message.contains(part), "{message}");
    }
    let (code, message) = refused("email,Opted out\nada@example.com,yes\n", TableOptions::default());
    assert_eq!(code, "unconfirmed_column");
    assert!(message.contains("`column=Opted out:subscribed` and `format=Opted out:yes_no:inverted`"), "{message}");
    let (code, _) = refused("Phone,Mobile\n+49301234567,+49301234568\n", TableOptions::default());
    assert_eq!(code, "duplicate");
    let formats = vec![("since".to_owned(), "text".parse().unwrap())];
    assert_eq!(refused(dates, TableOptions { formats, ..TableOptions::default() }).0, "invalid_format");
    let formats = vec![("since".to_owned(), "date:dd/mm/yyyy".parse().unwrap())];
    let import = world.taken(NewImport {
        options: TableOptions { formats, ..TableOptions::default() },
        ..NewImport::of(dates.as_bytes())
    });
    assert_eq!(done(&import), [1, 0, 0, 0]);
}

#[test]
fn a_mapped_refusal_is_read_inverted_without_a_format() {
    let world = world();
    let text = "email,Opted out\nada@example.com,yes\nbob@example.com,no\neve@example.com,\n";
    let columns = vec![("Opted out".to_owned(), "subscribed".to_owned())];
    let import = world.taken(NewImport { options: TableOptions { columns, ..TableOptions::default() }, ..table(text) });
    assert_eq!(done(&import), [3, 0, 0, 0]);
    let is_subscribed = |email: &str| {
        let contact = ContactRef::Email(email.parse().unwrap());
        block_on(world.tidings.contacts.get(&world.access, &contact)).unwrap().subscribed
    };
    assert!(!is_subscribed("ada@example.com") && is_subscribed("bob@example.com"));
    let columns = vec![("Opted out".to_owned(), "subscribed".to_owned())];
    let check = checked(&world, text.as_bytes(), TableOptions { columns, ..TableOptions::default() });
    assert_eq!(column(&check, 1), (ColumnState::Given, Some("subscribed"), Some("yes_no:inverted"), 0));
}

#[test]
fn imports_a_utf_16_table_with_blank_rows() {
    let world = world();
    let mut text = "email\tfirst_name\r\nada@example.com\tZoë\r\n".to_owned();
    text.push_str(&"\r\n".repeat(3 * crate::imports::BODY_PART));
    text.push_str("bob@example.com\tBob\r\n");
    let mut bytes = vec![0xff, 0xfe];
    bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    let import = world.taken(NewImport::of(&bytes));
    assert_eq!((import.status, done(&import)), (ImportStatus::Completed, [2, 0, 0, 0]), "{:?}", import.error);
}

#[test]
fn an_import_fails_if_every_row_is_rejected() {
    let world = world();
    let import = world.taken(table("email\nada\neve\n"));
    assert_eq!((import.status, done(&import)), (ImportStatus::Failed, [0, 0, 0, 2]));
    assert_eq!(import.error.map(|it| it.code).as_deref(), Some("every_row_rejected"));
}
