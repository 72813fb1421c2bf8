//! Contacts as rows of a table: attributes, custom fields and tags in a row.

use chrono::NaiveTime;
use chrono_tz::Tz;
use serde_json::{Value, json};
use tidings_tables::{Format, FullName, Moment, Value as Cell, parse, unguarded};

use super::table_columns::{Column, IDENTIFIERS, ReadColumn, TableColumn};
use super::{Attribute, Contact, ContactKey, ContactNames, ContactPatch, ContactStatus, NewTag, TagRef, WrongCell};
use crate::error::{Error, Violation};
use crate::fields::{CustomField, FieldKind};
use crate::ids::{ContactId, TypedId};
use crate::send_window::{instant_of, is_at_clock_change};
use crate::text::characters::is_blank;
use crate::time::Timestamp;
use crate::words::words;

words! {
    /// Action for a cell that does not fit its column.
    OnError {
        /// The row is rejected.
        RejectRow = "reject_row",
        /// The cell is skipped and the rest of the row is imported. A row with a wrong identifier, `subscribed` or
        /// `status` is rejected.
        SkipCell = "skip_cell",
    }
}

/// The content of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadRow {
    /// The attributes and fields. Empty cells are ignored.
    pub patch: ContactPatch,
    /// The tags.
    pub tags: Vec<NewTag>,
    /// The cells that were skipped, with the reasons.
    pub skipped: Vec<WrongCell>,
}

/// The columns of a table of contacts, and how their cells are read.
#[derive(Debug, Clone, PartialEq)]
pub struct ContactTable {
    columns: Vec<TableColumn>,
    key: Option<ContactKey>,
    zone: Tz,
}

/// The content of the cells that were read.
struct Said {
    contact: Contact,
    /// Its parts are set after the other columns were read.
    full_name: Option<FullName>,
    patch: ContactPatch,
    tags: Vec<NewTag>,
}

impl Said {
    fn nothing() -> Self {
        let contact = Contact::new(ContactId::from_uuid(uuid::Uuid::nil()), Timestamp::from_millis(0));
        Self { contact, full_name: None, patch: ContactPatch::default(), tags: Vec::new() }
    }

    /// Sets the parts of a full name for which the row has no other column; both or none.
    fn set_missing_names(&mut self, name: FullName) -> Result<(), String> {
        let Contact { first_name, last_name, .. } = &self.contact;
        let FullName { first, last, .. } = name.without(first_name.as_deref(), last_name.as_deref());
        let own_first = first_name.clone();
        for (attribute, part) in [(Attribute::FirstName, first), (Attribute::LastName, last)] {
            if let Some(part) = part
                && let Err(reason) = self.contact.set_attribute(attribute, Some(&part))
            {
                self.contact.first_name = own_first;
                return Err(reason);
            }
        }
        Ok(())
    }

    fn names(self) -> ContactNames {
        let Contact { external_id, email, phone, .. } = self.contact;
        ContactNames { external_id, email, phone }
    }
}

impl ContactTable {
    /// A table with these headings and readings of its columns. `zone` is the time zone of times without a zone.
    ///
    /// # Errors
    /// A custom field does not exist, or no column identifies contacts.
    pub fn new(
        headings: &[String],
        columns: &[ReadColumn],
        fields: &[CustomField],
        zone: Tz,
    ) -> Result<Self, Vec<WrongCell>> {
        let (mut read, mut wrong) = (Vec::new(), Vec::new());
        for (heading, column) in headings.iter().zip(columns) {
            match TableColumn::of(heading, column, fields) {
                Ok(column) => read.push(column),
                Err(it) => wrong.push(it),
            }
        }
        let is_known = |it: &Attribute| read.iter().any(|column| column.column == Column::Attribute(*it));
        if wrong.is_empty() && !IDENTIFIERS.iter().any(is_known) {
            let reason = "one of the columns must be `external_id`, `email` or `phone`, to identify contacts";
            wrong.push(WrongCell::in_line("required", reason));
        }
        if wrong.is_empty() { Ok(Self { columns: read, key: None, zone }) } else { Err(wrong) }
    }

    /// The same table with one identifier: rows find their contacts by it alone.
    ///
    /// # Errors
    /// The table has no such column.
    pub fn by(self, key: Option<ContactKey>) -> Result<Self, Vec<WrongCell>> {
        let lacks = |key: &ContactKey| {
            let column = Column::Attribute(key.attribute());
            self.columns.iter().all(|it| it.column != column)
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

    /// The only identifier of rows, if the table has one.
    pub fn key(&self) -> Option<ContactKey> {
        self.key
    }

    /// Reads a row.
    ///
    /// # Errors
    /// The reasons why the row is rejected.
    pub fn row<'c>(
        &self,
        cells: impl IntoIterator<Item = &'c str>,
        on_error: OnError,
    ) -> Result<ReadRow, Vec<WrongCell>> {
        let (mut said, mut wrong, mut skipped) = (Said::nothing(), Vec::new(), Vec::new());
        let mut report = |column: &TableColumn, it: WrongCell| {
            if on_error == OnError::SkipCell && column.column.may_be_skipped() {
                skipped.push(WrongCell { reason: format!("The cell was skipped: {}", it.reason), ..it });
            } else {
                wrong.push(it);
            }
        };
        for (column, cell) in self.columns.iter().zip(cells) {
            if let Err(it) = self.read(column, cell, &mut said) {
                report(column, it);
            }
        }
        if let Some(name) = said.full_name.take()
            && let Err(reason) = said.set_missing_names(name)
            && let Some(column) = self.columns.iter().find(|it| it.column == Column::FullName)
        {
            report(column, WrongCell::new(&column.heading, "invalid_value", reason));
        }
        if wrong.is_empty() && IDENTIFIERS.iter().all(|it| said.contact.attribute(*it).is_none()) {
            wrong.push(WrongCell::in_line(
                "required",
                "`external_id`, `email` and `phone` are all empty: set one of them to identify the contact",
            ));
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let Said { contact, mut patch, tags, .. } = said;
        patch.set_from(contact);
        Ok(ReadRow { patch, tags, skipped })
    }

    /// The identifiers of a row that can be read, even if other cells are wrong.
    pub fn names<'c>(&self, cells: impl IntoIterator<Item = &'c str>) -> ContactNames {
        let mut said = Said::nothing();
        for (column, cell) in self.columns.iter().zip(cells) {
            if matches!(&column.column, Column::Attribute(it) if IDENTIFIERS.contains(it)) {
                // An unreadable cell is no identifier.
                self.read(column, cell, &mut said).unwrap_or_default();
            }
        }
        said.names()
    }

    /// The places of cells with a local time that a clock change skips or repeats. Such a time is read as the first instant
    /// after the change, or as the first of both.
    pub fn clock_changes<'c>(&self, cells: impl IntoIterator<Item = &'c str>) -> Vec<usize> {
        let columns = self.columns.iter().zip(cells).enumerate();
        columns.filter(|(_, (column, cell))| self.is_in_clock_change(column, cell)).map(|(place, _)| place).collect()
    }

    fn is_in_clock_change(&self, column: &TableColumn, cell: &str) -> bool {
        let is_instant = matches!(&column.column, Column::Field(field) if field.kind == FieldKind::Datetime);
        if !is_instant || cell.is_empty() {
            return false;
        }
        match parse(cell, column.format, &column.options) {
            Ok(Some(Cell::Date(day))) => is_at_clock_change(day.and_time(NaiveTime::MIN), self.zone),
            Ok(Some(Cell::DateTime(Moment::Local(local)))) => is_at_clock_change(local, self.zone),
            Ok(_) | Err(_) => false,
        }
    }

    /// Reads a cell. An empty cell is ignored.
    fn read(&self, column: &TableColumn, cell: &str, said: &mut Said) -> Result<(), WrongCell> {
        if column.column == Column::Skipped {
            return Ok(());
        }
        let wrong = |code, reason: String| WrongCell::new(&column.heading, code, reason);
        let read = parse(cell, column.format, &column.options);
        let Some(value) = read.map_err(|it| wrong(it.reason.code(), it.to_string()))? else { return Ok(()) };
        let invalid = |reason: String| wrong("invalid_value", reason);
        match &column.column {
            Column::Attribute(attribute) => {
                let text = value.to_string();
                let is_name = [Attribute::FirstName, Attribute::LastName].contains(attribute);
                let is_empty = is_name && is_blank(&text);
                if is_empty { Ok(()) } else { said.contact.set_attribute(*attribute, Some(&text)).map_err(invalid) }
            }
            Column::FullName => {
                let Cell::FullName(name) = value else { return Err(invalid(MISMATCH.to_owned())) };
                said.full_name = Some(name);
                Ok(())
            }
            Column::Status => {
                said.patch.status = ContactStatus::parse(&value.to_string());
                said.patch.status.map(|_| ()).ok_or_else(|| invalid("expected `active` or `blocked`".to_owned()))
            }
            Column::Subscribed => {
                let Cell::YesNo(is_yes) = value else { return Err(invalid(MISMATCH.to_owned())) };
                said.patch.subscribed = Some(is_yes);
                Ok(())
            }
            Column::Tags => {
                let Cell::List(names) = value else { return Err(invalid(MISMATCH.to_owned())) };
                said.tags = tags(names).map_err(invalid)?;
                Ok(())
            }
            Column::Field(field) => {
                let value = match (column.format, value) {
                    // Spaces around a text are part of it, but not around an email address or a URL.
                    (Format::Text, _) if field.kind == FieldKind::Text => json!(unguarded(cell)),
                    (_, value) => field_value(field.kind, value, self.zone),
                };
                field.check(&value).map_err(|it| invalid(it.message))?;
                said.patch.custom_fields.insert(field.key.to_string(), value);
                Ok(())
            }
            Column::Skipped => Ok(()),
        }
    }

    /// The errors of a row that a use case rejected.
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

    /// The heading of the column at the pointer of a violation.
    pub fn column_at(&self, pointer: &str) -> String {
        let found = self.columns.iter().find(|it| it.column.is_at(pointer));
        found.map(|it| it.heading.clone()).unwrap_or_default()
    }
}

/// Never reported: formats are validated against the target earlier.
const MISMATCH: &str = "the format of the column does not suit its target";

fn tags(names: Vec<String>) -> Result<Vec<NewTag>, String> {
    if names.len() > 100 || names.iter().any(|name| name.is_empty() || name.chars().count() > 100) {
        return Err("at most 100 tags, each of 1 to 100 characters".to_owned());
    }
    let tag = |(place, name)| NewTag { tag: TagRef::Name(name), pointer: format!("/tags/{place}") };
    Ok(names.into_iter().enumerate().map(tag).collect())
}

/// Converts a cell to the value of a field.
fn field_value(kind: FieldKind, cell: Cell, zone: Tz) -> Value {
    let instant = |local| json!(instant_of(local, zone).to_string());
    match cell {
        Cell::Number(number) => serde_json::from_str(number.as_str()).unwrap_or_else(|_| json!(number.to_f64())),
        Cell::YesNo(is_yes) => json!(is_yes),
        Cell::Date(day) if kind == FieldKind::Datetime => instant(day.and_time(NaiveTime::MIN)),
        Cell::Date(day) => json!(day.to_string()),
        Cell::DateTime(Moment::Local(local)) => instant(local),
        Cell::DateTime(Moment::Zoned(at)) => json!(Timestamp::from_millis(at.timestamp_millis()).to_string()),
        Cell::List(items) | Cell::Choices(items) => json!(items),
        Cell::Text(text) | Cell::Phone(text) | Cell::Locale(text) | Cell::Choice(text) => json!(text),
        Cell::TimeZone(name) => json!(name),
        Cell::FullName(_) => json!(cell.to_string()),
    }
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
