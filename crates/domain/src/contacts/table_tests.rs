use tidings_tables::Target;

use super::*;
use crate::ids::FieldId;
use crate::patch::Patch;

fn columns(of: &[(&str, &str)]) -> (Vec<String>, Vec<ReadColumn>) {
    let column = |(target, format): &(&str, &str)| ReadColumn {
        target: Target::parse(target).unwrap(),
        format: format.parse().unwrap(),
    };
    (of.iter().map(|(target, _)| (*target).to_owned()).collect(), of.iter().map(column).collect())
}

fn table(of: &[(&str, &str)]) -> Result<ContactTable, Vec<WrongCell>> {
    let (headings, columns) = columns(of);
    ContactTable::new(&headings, &columns, &[], Tz::Europe__Berlin)
}

fn row(table: &ContactTable, cells: &[&str]) -> Result<ReadRow, Vec<WrongCell>> {
    table.row(cells.iter().copied(), OnError::RejectRow)
}

#[test]
fn reads_each_cell_by_its_column() {
    let head = [
        ("external_id", "id"),
        ("email", "text"),
        ("phone", "phone:DE"),
        ("name", "full_name"),
        ("subscribed", "yes_no:inverted"),
        ("tags", "list:json"),
        ("-", "text"),
    ];
    let table = table(&head).unwrap();
    let cells = ["7", "Ada@Example.com", "030 1234567", "Lovelace, Ada", "ja", r#"["a,b","c"]"#, "never"];
    let ReadRow { patch, tags, skipped } = row(&table, &cells).unwrap();
    assert_eq!(patch.email, Patch::Set("ada@example.com".parse().unwrap()));
    assert_eq!(patch.phone, Patch::Set("+49301234567".parse().unwrap()));
    assert_eq!((patch.first_name, patch.last_name), (Patch::Set("Ada".to_owned()), Patch::Set("Lovelace".to_owned())));
    assert_eq!((patch.subscribed, skipped), (Some(false), vec![]), "a heading such as `Opted out` is inverted");
    let names: Vec<_> = tags.into_iter().map(|it| it.tag).collect();
    assert_eq!(names, [TagRef::Name("a,b".to_owned()), TagRef::Name("c".to_owned())]);
    let read = row(&table, &["7", "", "", "", "", "", ""]).unwrap();
    assert_eq!((read.patch.email, read.patch.subscribed), (Patch::Keep, None), "an empty cell sets no value");
}

#[test]
fn columns_for_one_name_win_over_a_full_name_in_any_order() {
    for head in [[("name", "full_name"), ("first_name", "text")], [("first_name", "text"), ("name", "full_name")]] {
        let table = table(&[("external_id", "id"), head[0], head[1]]).unwrap();
        for (full, first, expected) in [
            ("Anna Maria Schmidt", "Anna Maria", ("Anna Maria", "Schmidt")),
            ("Schmidt, Anna", "Anna", ("Anna", "Schmidt")),
            ("Anna Schmidt", "", ("Anna", "Schmidt")),
        ] {
            let cells = if head[0].0 == "name" { ["7", full, first] } else { ["7", first, full] };
            let patch = row(&table, &cells).unwrap().patch;
            let (first_name, last_name) = expected;
            assert_eq!(patch.first_name, Patch::Set(first_name.to_owned()), "{full} {head:?}");
            assert_eq!(patch.last_name, Patch::Set(last_name.to_owned()), "{full} {head:?}");
        }
    }
}

#[test]
fn spaces_around_a_value_count_in_texts_only() {
    let field =
        |key, kind| CustomField::new(FieldId::from_uuid(uuid::Uuid::nil()), key, kind, Timestamp::from_millis(0));
    let fields = [field("note", FieldKind::Text), field("site", FieldKind::Url), field("mail", FieldKind::Email)];
    let of = ["custom_fields.note", "custom_fields.site", "custom_fields.mail"].map(|target| (target, "text"));
    let (headings, columns) = columns(&[("external_id", "id"), of[0], of[1], of[2]]);
    let table = ContactTable::new(&headings, &columns, &fields, Tz::UTC).unwrap();
    let cells = ["7", " a note ", " https://example.com/ada\u{a0}", "\u{a0}ada@example.com "];
    let values = row(&table, &cells).unwrap().patch.custom_fields;
    let value = |key: &str| values.get(key).cloned();
    assert_eq!(value("note"), Some(json!(" a note ")));
    assert_eq!(value("site"), Some(json!("https://example.com/ada")));
    assert_eq!(value("mail"), Some(json!("ada@example.com")));
}

#[test]
fn reads_formulas_as_text_without_the_export_guard() {
    let table = table(&[("external_id", "id"), ("first_name", "text"), ("phone", "phone")]).unwrap();
    let read = row(&table, &["7", "'=1+1", "'+49301234567"]).unwrap();
    assert_eq!(read.patch.first_name, Patch::Set("=1+1".to_owned()));
    assert_eq!(read.patch.phone, Patch::Set("+49301234567".parse().unwrap()));
}

#[test]
fn every_attribute_may_be_a_column() {
    let format = |attribute: &Attribute| match attribute {
        Attribute::Phone => "phone",
        Attribute::Locale => "locale",
        Attribute::TimeZone => "time_zone",
        Attribute::FirstName
        | Attribute::LastName
        | Attribute::Email
        | Attribute::ExternalId
        | Attribute::AvatarUrl => "text",
    };
    let head: Vec<_> = Attribute::ALL.iter().map(|it| (it.as_str(), format(it))).collect();
    let cells: Vec<&str> = Attribute::ALL.iter().map(|it| it.example()).collect();
    let mut patch = row(&table(&head).unwrap(), &cells).unwrap().patch;
    let mut contact = Contact::new(ContactId::from_uuid(uuid::Uuid::nil()), Timestamp::from_millis(0));
    patch.merge_into(&mut contact);
    let read: Vec<_> = Attribute::ALL.iter().filter_map(|it| contact.attribute(*it)).collect();
    assert_eq!(read, cells);
}

#[test]
fn reports_each_wrong_cell_with_its_column() {
    let table = table(&[("email", "text"), ("time_zone", "time_zone"), ("subscribed", "yes_no")]).unwrap();
    let wrong = row(&table, &["ada", "Europe/Nowhere", "maybe"]).unwrap_err();
    let told: Vec<_> = wrong.iter().map(|it| (it.column.as_str(), it.code.as_str())).collect();
    let expected = [("email", "invalid_value"), ("time_zone", "not_a_time_zone"), ("subscribed", "not_yes_no")];
    assert_eq!(told, expected);
    let wrong = row(&table, &["", "Europe/Berlin", ""]).unwrap_err();
    assert!(wrong[0].reason.contains("to identify the contact"));
    assert_eq!((table.column_at("/time_zone"), table.column_at("/nothing")), ("time_zone".into(), String::new()));
}

#[test]
fn wrong_cells_are_skipped_unless_they_identify_or_subscribe() {
    let head = [("external_id", "id"), ("email", "text"), ("time_zone", "time_zone"), ("subscribed", "yes_no")];
    let table = table(&head).unwrap();
    let skip = |cells: [&'static str; 4]| table.row(cells, OnError::SkipCell);
    let read = skip(["7", "ada@example.com", "Nowhere", "yes"]).unwrap();
    let told: Vec<_> = read.skipped.iter().map(|it| (it.column.as_str(), it.code.as_str())).collect();
    assert_eq!(told, [("time_zone", "not_a_time_zone")]);
    assert!(read.skipped[0].reason.starts_with("The cell was skipped: "), "{:?}", read.skipped);
    assert_eq!((read.patch.time_zone, read.patch.subscribed), (Patch::Keep, Some(true)));
    let names = self::table(&[("external_id", "id"), ("name", "full_name")]).unwrap();
    let long = format!("Ada {}", "x".repeat(200));
    let read = names.row(["7", long.as_str()], OnError::SkipCell).unwrap();
    assert_eq!((read.skipped.len(), read.patch.first_name), (1, Patch::Keep), "no part of a skipped name is set");
    for cells in [["7", "ada", "", ""], ["7", "", "", "perhaps"]] {
        assert_eq!(skip(cells).unwrap_err().len(), 1, "{cells:?}");
    }
    for (head, cells) in [
        ([("external_id", "id"), ("email", "text")], ["4.9E+11", "ada@example.com"]),
        ([("phone", "phone"), ("email", "text")], ["030 1234567", "ada@example.com"]),
        ([("status", "choice"), ("email", "text")], ["asleep", "ada@example.com"]),
        ([("subscribed", "yes_no:inverted"), ("email", "text")], ["perhaps", "ada@example.com"]),
    ] {
        let rejected = self::table(&head).unwrap().row(cells, OnError::SkipCell).unwrap_err();
        assert_eq!(rejected[0].column, head[0].0, "{cells:?}");
    }
}

#[test]
fn rejects_a_table_without_an_identifying_column() {
    assert!(table(&[("first_name", "text")]).unwrap_err()[0].reason.contains("to identify contacts"));
    let wrong = table(&[("email", "text"), ("custom_fields.plan", "text")]).unwrap_err();
    assert!(wrong[0].reason.contains("no custom field has the key `plan`"));
    let by_phone = table(&[("email", "text")]).unwrap().by(Some(ContactKey::Phone)).unwrap_err();
    assert!(by_phone[0].reason.contains("one of the columns must be `phone`"));
}

#[test]
fn stores_a_column_in_the_form_of_the_api() {
    let column =
        ReadColumn { target: Target::CustomField("plan".to_owned()), format: "number:1.234,5".parse().unwrap() };
    let text = serde_json::to_string(&column).unwrap();
    assert_eq!(text, r#"{"target":"custom_fields.plan","format":"number:1.234,5"}"#);
    assert_eq!(serde_json::from_str::<ReadColumn>(&text).unwrap(), column);
}
