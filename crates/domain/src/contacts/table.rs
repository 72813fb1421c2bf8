//! Contacts as lines of a table: which column is what, and what a line says of a contact.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{
    Attribute, Contact, ContactKey, ContactNames, ContactPatch, ContactStatus, NewTag, Reasons, TagRef, WrongCell,
};
use crate::error::{Error, Violation};
use crate::fields::{CustomField, FieldKind};
use crate::ids::{ContactId, TypedId};
use crate::text::characters::{is_blank, trim};
use crate::text::nearest;
use crate::time::Timestamp;

/// How many columns a table has at the most, besides those that tell why its rows were rejected earlier.
pub const MAX_COLUMNS: usize = 200;

/// What exports write and nobody sets.
const SHOWN_ONLY: [&str; 6] = ["id", "name", "last_message_at", "created_at", "updated_at", "deleted_at"];
/// By what a contact is known again.
const IDENTIFIERS: [Attribute; 3] = [Attribute::ExternalId, Attribute::Email, Attribute::Phone];
/// Before a cell that a spreadsheet would take for a formula, exports put a `'`.
const FORMULAS: [char; 11] = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n'];

/// What a column is.
#[derive(Debug, Clone, PartialEq)]
enum Column {
    Attribute(Attribute),
    Status,
    Subscribed,
    Tags,
    Field(Box<CustomField>),
    /// It is passed over.
    Shown,
}

/// The columns of a table of contacts.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactTable {
    columns: Vec<(String, Column)>,
    key: Option<ContactKey>,
}

impl ContactTable {
    /// Reads the line of names. A column is called as exports call it: by an attribute, `status`, `subscribed`, `tags` or
    /// `custom_fields.KEY`; `names` says what columns with other names are, and `-` passes one over. In a table of rejected
    /// rows that comes back, [`Reasons`] are passed over by themselves.
    ///
    /// # Errors
    /// What no import can go by.
    pub fn read(
        head: &[&str],
        names: &BTreeMap<String, String>,
        fields: &[CustomField],
    ) -> Result<Self, Vec<WrongCell>> {
        let reasons = Reasons::of(head, names);
        if head.len() - reasons.count() > MAX_COLUMNS {
            let reason = format!("the table has {} columns; at most {MAX_COLUMNS} are allowed", head.len());
            return Err(vec![WrongCell::in_line("too_many", reason)]);
        }
        let (mut columns, mut wrong, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
        for (place, name) in head.iter().enumerate() {
            if reasons.has(place) {
                columns.push(((*name).to_owned(), Column::Shown));
                continue;
            }
            let mapped = names.get(*name).or_else(|| names.get(unguarded(name))).map(String::as_str);
            let meant = mapped.unwrap_or(unguarded(name));
            let mut refuse = |code, reason: String| wrong.push(WrongCell::new(name, code, reason));
            match column(meant, mapped.is_some(), fields) {
                Ok(column) if column != Column::Shown && !seen.insert(meant.to_owned()) => {
                    refuse("duplicate", format!("two columns contain `{meant}`"));
                }
                Ok(column) => columns.push(((*name).to_owned(), column)),
                Err(reason) => refuse("unknown_column", reason),
            }
        }
        wrong.extend(
            names
                .keys()
                .filter(|name| !head.iter().any(|it| [*it, unguarded(it)].contains(&name.as_str())))
                .map(|name| WrongCell::new(name, "unknown_column", "the table has no column with this name")),
        );
        let is_known = |it: &Attribute| columns.iter().any(|(_, column)| *column == Column::Attribute(*it));
        if wrong.is_empty() && !IDENTIFIERS.iter().any(is_known) {
            let reason = "one of the columns must be `external_id`, `email` or `phone`, to identify contacts";
            wrong.push(WrongCell::in_line("required", reason));
        }
        if wrong.is_empty() { Ok(Self { columns, key: None }) } else { Err(wrong) }
    }

    /// The same table, whose rows name their contacts by this identifier alone.
    ///
    /// # Errors
    /// The table has no such column.
    pub fn by(self, key: Option<ContactKey>) -> Result<Self, Vec<WrongCell>> {
        let lacks = |key: &ContactKey| {
            let column = Column::Attribute(key.attribute());
            self.columns.iter().all(|(_, it)| *it != column)
        };
        match key.filter(lacks) {
            None => Ok(Self { key, ..self }),
            Some(key) => {
                let key = key.as_str();
                let reason = format!("`key={key}` identifies contacts by `{key}`: one of the columns must be `{key}`");
                Err(vec![WrongCell::in_line("required", reason)])
            }
        }
    }

    /// The identifier by which alone rows name their contacts.
    pub fn key(&self) -> Option<ContactKey> {
        self.key
    }

    /// What a line says. Empty cells say nothing.
    ///
    /// # Errors
    /// All that is wrong with it.
    pub fn line(&self, cells: &[&str]) -> Result<(ContactPatch, Vec<NewTag>), Vec<WrongCell>> {
        if cells.len() != self.columns.len() {
            let reason =
                format!("the line has {} cells, but the table has {} columns", cells.len(), self.columns.len());
            return Err(vec![WrongCell::in_line("wrong_number_of_cells", reason)]);
        }
        let mut said = Contact::new(ContactId::from_uuid(uuid::Uuid::nil()), Timestamp::from_millis(0));
        let (mut patch, mut tags, mut wrong) = (ContactPatch::default(), Vec::new(), Vec::new());
        for ((name, column), cell) in self.columns.iter().zip(cells) {
            let text = unguarded(cell);
            let is_name =
                [Column::Attribute(Attribute::FirstName), Column::Attribute(Attribute::LastName)].contains(column);
            if text.is_empty() || (is_name && is_blank(text)) {
                continue;
            }
            if text.contains('\0') {
                wrong.push(WrongCell::new(name, "invalid_value", "must not contain U+0000"));
                continue;
            }
            let read = match column {
                Column::Attribute(attribute) => said.set_attribute(*attribute, Some(text)),
                Column::Status => ContactStatus::parse(text)
                    .map(|status| patch.status = Some(status))
                    .ok_or_else(|| "expected `active` or `blocked`".to_owned()),
                Column::Subscribed => truth(text).map(|is| patch.subscribed = Some(is)),
                Column::Tags => names_of_tags(text).map(|names| tags = names),
                Column::Field(field) => value(field, text).map(|value| {
                    patch.custom_fields.insert(field.key.to_string(), value);
                }),
                Column::Shown => Ok(()),
            };
            if let Err(reason) = read {
                wrong.push(WrongCell::new(name, "invalid_value", reason));
            }
        }
        if wrong.is_empty() && IDENTIFIERS.iter().all(|it| said.attribute(*it).is_none()) {
            wrong.push(WrongCell::in_line(
                "required",
                "`external_id`, `email` and `phone` are all empty: set one of them to identify the contact",
            ));
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        patch.set_from(said);
        Ok((patch, tags))
    }

    /// By what a line names its contact, as far as that can be read, whatever else is wrong with it.
    pub fn names(&self, cells: &[String]) -> ContactNames {
        let mut said = Contact::new(ContactId::from_uuid(uuid::Uuid::nil()), Timestamp::from_millis(0));
        for ((_, column), cell) in self.columns.iter().zip(cells) {
            if let Column::Attribute(attribute) = column
                && IDENTIFIERS.contains(attribute)
                && !cell.contains('\0')
            {
                // What cannot be read names nobody.
                said.set_attribute(*attribute, Some(unguarded(cell))).unwrap_or_default();
            }
        }
        ContactNames { external_id: said.external_id, email: said.email, phone: said.phone }
    }

    /// What is wrong with a line for which a use case gave this reason.
    pub fn refusal(&self, error: &Error) -> Vec<WrongCell> {
        match error {
            Error::Invalid(violations) => {
                let wrong = |it: &Violation| WrongCell::new(&self.column_at(&it.pointer), it.code, &it.message);
                violations.iter().map(wrong).collect()
            }
            Error::ContactExists { field, existing } => {
                let column = self.column_at(&format!("/{field}"));
                vec![WrongCell::new(&column, "contact_exists", format!("another contact has this value: {existing}"))]
            }
            Error::Full { .. } => vec![WrongCell::in_line("full", error.to_string())],
            other => vec![WrongCell::in_line("refused", other.to_string())],
        }
    }

    /// What the table calls the place to which a pointer of a refusal leads.
    pub fn column_at(&self, pointer: &str) -> String {
        let path = pointer.trim_start_matches('/');
        let is_it = |column: &Column| match column {
            Column::Attribute(attribute) => path == attribute.as_str(),
            Column::Status => path == "status",
            Column::Subscribed => path == "subscribed",
            Column::Tags => path.split('/').next() == Some("tags"),
            Column::Field(field) => path.strip_prefix("custom_fields/") == Some(field.key.as_str()),
            Column::Shown => false,
        };
        self.columns.iter().find(|(_, column)| is_it(column)).map(|(name, _)| name.clone()).unwrap_or_default()
    }
}

/// What is called so, be it by the table or by what the caller says that a column is.
fn column(name: &str, is_mapped: bool, fields: &[CustomField]) -> Result<Column, String> {
    if let Some(attribute) = Attribute::parse(name) {
        return Ok(Column::Attribute(attribute));
    }
    if let Some(key) = name.strip_prefix("custom_fields.") {
        let field = fields.iter().find(|field| field.key.as_str() == key);
        return field
            .map(|field| Column::Field(Box::new(field.clone())))
            .ok_or_else(|| format!("no custom field has the key `{key}`"));
    }
    match name {
        "status" => Ok(Column::Status),
        "subscribed" => Ok(Column::Subscribed),
        "tags" => Ok(Column::Tags),
        "-" => Ok(Column::Shown),
        _ if SHOWN_ONLY.contains(&name) => Ok(Column::Shown),
        _ => Err(unknown(name, is_mapped)),
    }
}

/// Why nothing is called so, and what may be meant.
fn unknown(name: &str, is_mapped: bool) -> String {
    let known = Attribute::ALL.iter().map(|it| it.as_str()).chain(["status", "subscribed", "tags"]);
    let near = nearest(name, known).into_iter().next().map(|it| format!("; did you mean `{it}`?"));
    if is_mapped {
        let right = ": use an attribute, `status`, `subscribed`, `tags`, `custom_fields.KEY`, or `-` to skip it";
        format!("`{name}` is not a known column{}", near.as_deref().unwrap_or(right))
    } else {
        format!("unknown column; map it to a known column, or to `-` to skip it{}", near.unwrap_or_default())
    }
}

/// The cell, or the name of a column, as it was before an export kept it from being a formula. A formula is a text like any
/// other.
fn unguarded(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| is_formula(text)).unwrap_or(cell)
}

/// Whether a spreadsheet would read the cell as a formula: it begins with a sign of one, full-width signs included, or with a
/// character that spreadsheets skip before one.
pub fn is_formula(cell: &str) -> bool {
    cell.starts_with(FORMULAS)
}

fn truth(text: &str) -> Result<bool, String> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err("expected `true` or `false`".to_owned()),
    }
}

/// A list of names in JSON, as exports write it, or names with commas between them.
fn names_of_tags(text: &str) -> Result<Vec<NewTag>, String> {
    let names: Vec<String> = if text.starts_with('[') {
        serde_json::from_str(text).map_err(|_| "expected a JSON list of names, or names separated by commas")?
    } else {
        text.split(',').map(|name| trim(name).to_owned()).filter(|name| !name.is_empty()).collect()
    };
    if names.len() > 100 || names.iter().any(|name| name.is_empty() || name.chars().count() > 100) {
        return Err("at most 100 tags, each of 1 to 100 characters".to_owned());
    }
    let tag = |(place, name)| NewTag { tag: TagRef::Name(name), pointer: format!("/tags/{place}") };
    Ok(names.into_iter().enumerate().map(tag).collect())
}

/// The value of a field, if it is one.
fn value(field: &CustomField, text: &str) -> Result<Value, String> {
    let value = match field.kind {
        FieldKind::Number => text.parse::<f64>().ok().filter(|it| it.is_finite()).map_or(json!(text), |_| {
            serde_json::from_str(text).unwrap_or_else(|_| json!(text.parse::<f64>().unwrap_or_default()))
        }),
        FieldKind::Boolean => json!(truth(text)?),
        FieldKind::MultiSelect if text.starts_with('[') => {
            serde_json::from_str(text).map_err(|_| "expected a JSON list of options".to_owned())?
        }
        FieldKind::MultiSelect => json!(text.split(',').map(str::trim).collect::<Vec<_>>()),
        FieldKind::Text
        | FieldKind::Date
        | FieldKind::Datetime
        | FieldKind::Email
        | FieldKind::Phone
        | FieldKind::Url
        | FieldKind::Select => json!(text),
    };
    field.check(&value).map(|_| value).map_err(|wrong| wrong.message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patch::Patch;

    fn table(head: &[&str]) -> Result<ContactTable, Vec<WrongCell>> {
        ContactTable::read(head, &BTreeMap::new(), &[])
    }

    fn reasons(wrong: Vec<WrongCell>) -> Vec<(String, String)> {
        wrong.into_iter().map(|it| (it.column, it.reason)).collect()
    }

    #[test]
    fn a_line_says_what_its_columns_mean() {
        let head = ["external_id", "email", "phone", "first_name", "subscribed", "tags", "created_at"];
        let table = table(&head).unwrap();
        let cells = ["7", "Ada@Example.com", "'+49301234567", "=1+1", "false", r#"["a,b","c"]"#, "never"];
        let (patch, tags) = table.line(&cells).unwrap();
        assert_eq!(patch.email, Patch::Set("ada@example.com".parse().unwrap()));
        assert_eq!(patch.phone, Patch::Set("+49301234567".parse().unwrap()), "the export's guard is no part of it");
        assert_eq!(patch.first_name, Patch::Set("=1+1".to_owned()), "a formula is a text");
        assert_eq!((patch.subscribed, patch.last_name.clone()), (Some(false), Patch::Keep));
        let names: Vec<_> = tags.into_iter().map(|it| it.tag).collect();
        assert_eq!(names, [TagRef::Name("a,b".to_owned()), TagRef::Name("c".to_owned())]);
        let (patch, tags) = table.line(&["7", "", "", "", "", "vip, gold", ""]).unwrap();
        assert_eq!((patch.email, tags.len()), (Patch::Keep, 2), "an empty cell says nothing");
    }

    #[test]
    fn the_guard_of_an_export_is_no_part_of_a_cell() {
        for text in ["=1", "+1", "-1", "@a", "＝1", "＋1", "－1", "＠a", "\t=1", "\r=1", "\n=1"] {
            assert!(is_formula(text), "{text:?}");
            assert_eq!(unguarded(&format!("'{text}")), text);
        }
        assert_eq!(unguarded("'tis"), "'tis");
    }

    #[test]
    fn every_attribute_may_be_a_column() {
        let cells: Vec<&str> = Attribute::ALL.iter().map(|it| it.example()).collect();
        let (mut patch, _) = table(Attribute::WORDS).unwrap().line(&cells).unwrap();
        let mut contact = Contact::new(ContactId::from_uuid(uuid::Uuid::nil()), Timestamp::from_millis(0));
        patch.merge_into(&mut contact);
        let read: Vec<_> = Attribute::ALL.iter().filter_map(|it| contact.attribute(*it)).collect();
        assert_eq!(read, cells);
    }

    #[test]
    fn each_wrong_cell_is_told_with_its_column() {
        let table = table(&["email", "time_zone", "subscribed"]).unwrap();
        let wrong = reasons(table.line(&["ada", "Europe/Nowhere", "maybe"]).unwrap_err());
        assert_eq!(wrong.iter().map(|it| it.0.as_str()).collect::<Vec<_>>(), ["email", "time_zone", "subscribed"]);
        let wrong = reasons(table.line(&["ada@example.com"]).unwrap_err());
        assert_eq!(wrong, [(String::new(), "the line has 1 cells, but the table has 3 columns".to_owned())]);
        assert!(reasons(table.line(&["", "Europe/Berlin", ""]).unwrap_err())[0].1.contains("to identify the contact"));
        assert_eq!((table.column_at("/time_zone"), table.column_at("/nothing")), ("time_zone".into(), String::new()));
    }

    #[test]
    fn a_table_without_a_name_for_people_is_refused() {
        assert!(reasons(table(&["first_name"]).unwrap_err())[0].1.contains("to identify contacts"));
        assert!(reasons(table(&["email", "emial"]).unwrap_err())[0].1.contains("did you mean `email`"));
        assert!(reasons(table(&["email", "email"]).unwrap_err())[0].1.contains("two columns"));
        assert!(reasons(table(&["email", "custom_fields.plan"]).unwrap_err())[0].1.contains("no custom field"));
        let many = vec!["-"; MAX_COLUMNS + 1];
        assert!(reasons(table(&many).unwrap_err())[0].1.contains("at most 200"));
        let names = BTreeMap::from([("E-Mail".to_owned(), "email".to_owned()), ("Age".to_owned(), "-".to_owned())]);
        assert!(ContactTable::read(&["E-Mail", "Age"], &names, &[]).is_ok());
        let missing = ContactTable::read(&["email"], &names, &[]).unwrap_err();
        assert!(missing.iter().all(|it| it.reason.contains("no column with this name")), "{missing:?}");
    }

    fn names(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, is)| ((*name).to_owned(), (*is).to_owned())).collect()
    }

    #[test]
    fn a_wrong_word_of_the_mapping_is_told_and_not_the_column() {
        let told = |is: &str| {
            let wrong = ContactTable::read(&["E-Mail", "phone"], &names(&[("E-Mail", is)]), &[]).unwrap_err();
            let [WrongCell { column, code, reason }] = wrong.as_slice() else { panic!("{wrong:?}") };
            assert_eq!((column.as_str(), code.as_str()), ("E-Mail", "unknown_column"));
            reason.clone()
        };
        assert_eq!(told("mail"), "`mail` is not a known column; did you mean `email`?");
        assert!(told("nonsense").starts_with("`nonsense` is not a known column: use an attribute,"));
        assert_eq!(told("custom_fields.plan"), "no custom field has the key `plan`");
    }

    #[test]
    fn a_table_of_rejected_rows_is_read_by_the_mapping_of_the_table_that_they_are_from() {
        let names = names(&[("E-Mail", "email"), ("@name", "first_name"), ("message", "last_name")]);
        let head = ["line", "column", "code", "message", "E-Mail", "'@name", "message", "'-"];
        let table = ContactTable::read(&head, &names, &[]).unwrap();
        let cells = ["7", "E-Mail", "invalid_value", "expected something else", "ada@example.com", "'=Ada", "", "x"];
        let (patch, _) = table.line(&cells).unwrap();
        assert_eq!(patch.email, Patch::Set("ada@example.com".parse().unwrap()));
        assert_eq!((patch.first_name, patch.last_name), (Patch::Set("=Ada".to_owned()), Patch::Keep));
        assert_eq!(table.column_at("/first_name"), "'@name");
        // Elsewhere these names say as little as others.
        let wrong = ContactTable::read(&["email", "line", "column"], &BTreeMap::new(), &[]).unwrap_err();
        assert_eq!(wrong.iter().map(|it| it.column.as_str()).collect::<Vec<_>>(), ["line", "column"]);
        let reasons = crate::contacts::REASONS.into_iter();
        let widest: Vec<_> = reasons.chain(["email"]).chain(vec!["-"; MAX_COLUMNS - 1]).collect();
        assert!(ContactTable::read(&widest, &BTreeMap::new(), &[]).is_ok(), "a table of any width comes back");
    }
}
