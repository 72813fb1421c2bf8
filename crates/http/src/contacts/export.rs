//! `GET /contacts/export`: all contacts that match the filters, streamed page by page.

use std::collections::VecDeque;

use actix_web::http::header::CONTENT_DISPOSITION;
use async_trait::async_trait;
use serde_json::Value;
use tidings_domain::Error;
use tidings_domain::access::Access;
use tidings_domain::contacts::{Attribute, Contact, ContactFilter, ContactService, ContactView};
use tidings_domain::fields::{CustomField, FieldKind};
use tidings_domain::pagination::SortedRequest;
use tidings_domain::read::schema::{Annotate, Describe, choice};
use tidings_domain::read::{Read, Violation, string};
use tidings_domain::tables::GuardedType;

use super::filter::{self, ContactFilters};
use crate::contacts::searches::Retries;
use crate::request::RequestContext;
use crate::request::csv::{end_line, write_cell, write_line};
use crate::request::query::{flag, parameters};
use crate::response::answer::Answer;
use crate::response::export_body::{ExportSource, Piece};
use crate::response::json_pieces::JsonPieces;
use crate::response::problem::{FieldError, Problem};

/// The maximum size of a page in bytes. A page is held until the client has read it.
const PAGE_BYTES: usize = 4 << 20;
/// The maximum number of contacts in a page.
const MOST_ROWS: u32 = 100;
/// The maximum size of a text in a custom field: 4 096 characters.
const TEXT_BYTES: usize = 16 << 10;
/// The maximum number of chosen columns.
const MAX_COLUMNS: usize = 300;
/// The approximate maximum size of a contact without custom fields, in bytes.
const CONTACT_BYTES: usize = 32 << 10;

/// Format of the export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// A table (RFC 4180) with a header row.
    Csv,
    /// One JSON object per line.
    Ndjson,
}

impl Format {
    const WORDS: [&str; 2] = ["csv", "ndjson"];

    fn parse(word: &str) -> Option<Self> {
        match word {
            "csv" => Some(Self::Csv),
            "ndjson" => Some(Self::Ndjson),
            _ => None,
        }
    }
}

parameters! {
    pub(super) struct ExportParams {
        /// `csv`: a table with a header row (RFC 4180); the default. `ndjson`: one JSON object per line.
        one format: Format = choice("ExportFormat", "Format of the export.", &Format::WORDS, Format::parse);
        /// CSV only: `true` begins the table with a byte order mark. Excel then reads it as UTF-8.
        one bom: bool = flag();
        /// CSV only: names of the columns, separated by commas, such as `external_id,email,custom_fields.plan`. If
        /// absent, all columns.
        one columns: Vec<String> = names();
    }
}

/// Reads names of columns, separated by commas.
fn names() -> impl Read<Vec<String>> + Describe {
    string(|text: &str| -> Result<Vec<String>, Violation> {
        let names: Vec<_> = text.split(',').map(|name| name.trim().to_owned()).collect();
        let is_whole = names.len() <= MAX_COLUMNS && names.iter().all(|name| !name.is_empty());
        is_whole.then_some(names).ok_or_else(|| {
            let message = format!("expected 1 to {MAX_COLUMNS} names of columns, separated by commas");
            Violation::at_root("invalid_value", message)
        })
    })
    .example("external_id,email")
}

/// Export contacts.
///
/// Returns all contacts that match all filters, newest first. The response is streamed; contacts that are created
/// during the export are not in it. If the response ends early, the transfer is incomplete at the HTTP level. In CSV,
/// `tags` is a JSON list of names, and each custom field has its own column, `custom_fields.KEY`. A `'` is added before
/// cells that a spreadsheet would read as a formula, except numbers and phone numbers in columns of their types. An
/// import reads the table without loss.
#[utoipa::path(get, path = "/api/v1/contacts/export", tag = "Contacts", params(ExportParams, ContactFilters),
    responses((status = 200, description = "The contacts.", content(
        (String = "text/csv; charset=utf-8", example = "id,external_id,email,first_name\ncontact_01h455vb4pex5vsknk084sn02q,7,ada@example.com,Ada\n"),
        (String = "application/x-ndjson", example = "{\"id\":\"contact_01h455vb4pex5vsknk084sn02q\",\"first_name\":\"Ada\"}\n")))))]
pub async fn export(cx: RequestContext) -> Result<Answer, Problem> {
    let mut query = cx.query();
    let (ExportParams { format, bom, columns: chosen }, filters): (_, ContactFilters) = (query.read(), query.read());
    query.finish()?;
    let running = cx.begin_export()?;
    let filter = filter::resolve(&cx, filters).await?;
    let fields = cx.services().ports.fields.all(cx.access()).await?;
    let contacts = cx.services().contacts.clone();
    contacts.note_export(cx.access()).await?;
    let format = format.unwrap_or(Format::Csv);
    let limit = page_size(&fields);
    let columns = columns(&fields, chosen.as_deref())
        .map_err(|wrong| Problem::validation(vec![FieldError::in_parameter("columns", wrong.code, wrong.message)]))?;
    let pages = Pages {
        contacts,
        access: cx.access().clone(),
        filter,
        columns,
        format,
        has_head: false,
        has_mark: bom.unwrap_or_default(),
        next: Some(SortedRequest { limit, ..SortedRequest::default() }),
        rows: VecDeque::new(),
        row: None,
    };
    let (content_type, name) = match format {
        Format::Csv => ("text/csv; charset=utf-8", "attachment; filename=\"contacts.csv\""),
        Format::Ndjson => ("application/x-ndjson", "attachment; filename=\"contacts.ndjson\""),
    };
    Ok(cx.exported(content_type, pages, running).with(CONTENT_DISPOSITION, name))
}

/// Returns the columns of a table: all, or the chosen ones in their order.
fn columns(fields: &[CustomField], chosen: Option<&[String]>) -> Result<Vec<(String, GuardedType)>, Violation> {
    let own = ["status", "subscribed", "tags", "last_message_at", "created_at", "updated_at"];
    let attribute = |it: &Attribute| {
        let is_phone = *it == Attribute::Phone;
        (it.as_str().to_owned(), if is_phone { GuardedType::Phone } else { GuardedType::Text })
    };
    let text = |name: &str| (name.to_owned(), GuardedType::Text);
    let mut all = vec![text("id")];
    all.extend(Attribute::ALL.iter().map(attribute));
    all.extend(own.map(text));
    all.extend(fields.iter().map(|field| (format!("custom_fields.{}", field.key), guarded_type(field.kind))));
    let Some(chosen) = chosen else { return Ok(all) };
    let find = |name: &String| {
        all.iter().find(|(it, _)| it == name).cloned().ok_or_else(|| {
            let known: Vec<_> = all.iter().map(|(name, _)| format!("`{name}`")).collect();
            let message = format!("the export has no column `{name}`; its columns are {}", known.join(", "));
            Violation::at_root("unknown_column", message)
        })
    };
    chosen.iter().map(find).collect()
}

fn guarded_type(kind: FieldKind) -> GuardedType {
    match kind {
        FieldKind::Number => GuardedType::Number,
        FieldKind::Phone => GuardedType::Phone,
        FieldKind::Text
        | FieldKind::Boolean
        | FieldKind::Date
        | FieldKind::Datetime
        | FieldKind::Email
        | FieldKind::Url
        | FieldKind::Select
        | FieldKind::MultiSelect => GuardedType::Text,
    }
}

/// The state of an export.
struct Pages {
    contacts: ContactService,
    access: Access,
    filter: ContactFilter,
    columns: Vec<(String, GuardedType)>,
    format: Format,
    has_head: bool,
    has_mark: bool,
    /// The next page; `None` after the last one.
    next: Option<SortedRequest>,
    rows: VecDeque<Contact>,
    row: Option<RowPieces>,
}

/// The contact that is being written.
enum RowPieces {
    /// As a line of a table: the contact, and its next column.
    Csv(Value, usize),
    Ndjson(JsonPieces),
}

#[async_trait]
impl ExportSource for Pages {
    fn append(&mut self, text: &mut String) -> Piece {
        if !std::mem::replace(&mut self.has_head, true) && self.format == Format::Csv {
            if self.has_mark {
                text.push('\u{feff}');
            }
            write_line(text, self.columns.iter().map(|(name, _)| name.as_str()));
            return Piece::Appended;
        }
        match &mut self.row {
            Some(RowPieces::Csv(contact, place)) => match self.columns.get(*place) {
                Some((column, guarded)) => {
                    write_cell(text, *place, &cell(contact, column), *guarded);
                    *place += 1;
                }
                None => {
                    end_line(text);
                    self.row = None;
                }
            },
            Some(RowPieces::Ndjson(pieces)) => {
                if !pieces.append(text) {
                    text.push('\n');
                    self.row = None;
                }
            }
            None => match self.rows.pop_front() {
                Some(contact) => self.begin(&contact, text),
                None if self.next.is_some() => return Piece::NeedsRows,
                None => return Piece::End,
            },
        }
        Piece::Appended
    }

    async fn fetch(&mut self) -> Result<(), Error> {
        let Some(request) = self.next.take() else { return Ok(()) };
        let mut retries = Retries::default();
        let page = loop {
            match self.contacts.list(&self.access, &self.filter, request.clone()).await {
                Err(error) if retries.wait_after(&error).await => {}
                outcome => break outcome?,
            }
        };
        self.next = page.next.map(|after| SortedRequest { after: Some(after), ..request });
        self.rows = page.items.into();
        Ok(())
    }
}

impl Pages {
    fn begin(&mut self, contact: &Contact, text: &mut String) {
        let shown = serde_json::to_value(ContactView::from(contact)).unwrap_or_default();
        self.row = Some(match self.format {
            Format::Csv => RowPieces::Csv(shown, 0),
            Format::Ndjson => RowPieces::Ndjson(JsonPieces::begin(shown, text)),
        });
    }
}

/// Returns the number of contacts in a page. The page has at most [`PAGE_BYTES`], even if all values are as long as
/// their fields allow.
fn page_size(fields: &[CustomField]) -> u32 {
    let most = CONTACT_BYTES + fields.iter().map(most_bytes).sum::<usize>();
    u32::try_from(PAGE_BYTES / most).unwrap_or(MOST_ROWS).clamp(1, MOST_ROWS)
}

/// Returns the maximum size of a value of this field, in bytes.
fn most_bytes(field: &CustomField) -> usize {
    match field.kind {
        FieldKind::Text | FieldKind::Url | FieldKind::Email | FieldKind::Phone => TEXT_BYTES,
        FieldKind::Number | FieldKind::Boolean | FieldKind::Date | FieldKind::Datetime => 64,
        FieldKind::Select | FieldKind::MultiSelect => {
            field.options.iter().chain(&field.retired).map(|option| option.len() + r#""","#.len()).sum()
        }
    }
}

fn cell(contact: &Value, column: &str) -> String {
    let value = match column.strip_prefix("custom_fields.") {
        Some(key) => contact.get("custom_fields").and_then(|fields| fields.get(key)),
        None => contact.get(column),
    };
    match (column, value) {
        (_, None | Some(Value::Null)) => String::new(),
        ("tags", Some(Value::Array(tags))) => {
            let names: Vec<&Value> = tags.iter().filter_map(|tag| tag.get("name")).collect();
            serde_json::to_string(&names).unwrap_or_default()
        }
        (_, Some(Value::String(text))) => text.clone(),
        (_, Some(value)) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::contacts::tests::a_field;

    #[test]
    fn reads_smaller_pages_if_contacts_may_be_long() {
        let of = |kind, count| page_size(&vec![a_field("f", kind); count]);
        assert_eq!([0, 1, 10, 50, 200].map(|count| of(FieldKind::Text, count)), [100, 85, 21, 4, 1]);
        assert_eq!(of(FieldKind::Number, 200), 92);
    }

    #[test]
    fn renders_each_column_from_the_contact() {
        let contact = json!({
            "id": "contact_1", "email": null, "subscribed": true,
            "tags": [{"id": "tag_1", "name": "a;b"}, {"id": "tag_2", "name": "c"}],
            "custom_fields": {"plan": "gold", "age": 7, "likes": ["x", "y"]},
        });
        let expected = [
            ("id", "contact_1"),
            ("email", ""),
            ("phone", ""),
            ("subscribed", "true"),
            ("tags", r#"["a;b","c"]"#),
            ("custom_fields.plan", "gold"),
            ("custom_fields.age", "7"),
            ("custom_fields.likes", r#"["x","y"]"#),
            ("custom_fields.none", ""),
        ];
        for (column, text) in expected {
            assert_eq!(cell(&contact, column), text, "{column}");
        }
    }
}
