//! `GET /contacts/export`: all contacts that pass the filters, page by page, as long as the client takes them.

use actix_web::http::header::CONTENT_DISPOSITION;
use bytes::Bytes;
use futures::stream;
use serde_json::Value;
use tidings_domain::access::Access;
use tidings_domain::contacts::{Attribute, Contact, ContactFilter, ContactService, ContactView};
use tidings_domain::pagination::SortedRequest;
use tidings_domain::read::schema::choice;

use super::filter::{self, ContactFilters};
use crate::answer::{Answer, BrokenOff};
use crate::csv::Csv;
use crate::problem::Problem;
use crate::query::parameters;
use crate::request::Cx;
use crate::searches::Retries;

/// So many contacts are read at once, and held until the client has taken them.
const PAGE: u32 = 100;

/// How contacts are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// A table (RFC 4180) with a line of names.
    Csv,
    /// A JSON object on each line.
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
    /// How contacts are written.
    pub(super) struct ExportParams {
        /// A table with a line of names (`csv`, RFC 4180), which is the default, or a JSON object on each line (`ndjson`).
        one format: Format = choice("ExportFormat", "How contacts are written.", &Format::WORDS, Format::parse);
    }
}

/// Writes all contacts that pass all filters, the newest first.
///
/// The answer goes on as long as the client takes it; what is created meanwhile is not in it. Where it breaks off before its end
/// the transfer is incomplete, as HTTP tells it. In a table `tags` is a list of names in JSON, custom fields stand in columns of
/// their own, `custom_fields.KEY`, and where a cell would be a formula in a spreadsheet, a `'` stands before it.
#[utoipa::path(get, path = "/api/v1/contacts/export", tag = "Contacts", params(ExportParams, ContactFilters),
    responses((status = 200, description = "The contacts.", content(
        (String = "text/csv; charset=utf-8", example = "id,external_id,email,first_name\ncontact_01h455vb4pex5vsknk084sn02q,7,ada@example.com,Ada\n"),
        (String = "application/x-ndjson", example = "{\"id\":\"contact_01h455vb4pex5vsknk084sn02q\",\"first_name\":\"Ada\"}\n")))))]
pub async fn export(cx: Cx) -> Result<Answer, Problem> {
    let mut query = cx.query();
    let (ExportParams { format }, filters): (_, ContactFilters) = (query.read(), query.read());
    query.finish().map_err(Problem::validation)?;
    let filter = filter::resolve(&cx, filters).await?;
    let fields = cx.services().ports.fields.all(cx.access()).await?;
    let contacts = cx.services().contacts.clone();
    contacts.note_export(cx.access()).await?;
    let format = format.unwrap_or(Format::Csv);
    let columns = columns(fields.into_iter().map(|field| field.key.to_string()));
    let pages = Pages { contacts, access: cx.access().clone(), filter, columns, format, next: Next::Head };
    let (content_type, name) = match format {
        Format::Csv => ("text/csv; charset=utf-8", "attachment; filename=\"contacts.csv\""),
        Format::Ndjson => ("application/x-ndjson", "attachment; filename=\"contacts.ndjson\""),
    };
    Ok(Answer::streamed(content_type, stream::try_unfold(pages, Pages::next)).with(CONTENT_DISPOSITION, name))
}

/// The names of a table's columns.
fn columns(fields: impl Iterator<Item = String>) -> Vec<String> {
    let own = ["status", "subscribed", "tags", "last_message_at", "created_at", "updated_at"];
    let attributes = Attribute::ALL.iter().map(|it| it.as_str());
    let all = ["id"].into_iter().chain(attributes).chain(own).map(ToOwned::to_owned);
    all.chain(fields.map(|key| format!("custom_fields.{key}"))).collect()
}

/// What is written next.
#[derive(Debug, Clone)]
enum Next {
    /// The line of names, and the first page.
    Head,
    /// The page of this request.
    Page(Box<SortedRequest>),
    /// Nothing.
    End,
}

/// An export that is under way.
struct Pages {
    contacts: ContactService,
    access: Access,
    filter: ContactFilter,
    columns: Vec<String>,
    format: Format,
    next: Next,
}

impl Pages {
    async fn next(mut self) -> Result<Option<(Bytes, Self)>, BrokenOff> {
        let mut text = Csv::default();
        let request = match std::mem::replace(&mut self.next, Next::End) {
            Next::Head => {
                if self.format == Format::Csv {
                    text.line(self.columns.iter().map(String::as_str));
                }
                SortedRequest { limit: PAGE, ..SortedRequest::default() }
            }
            Next::Page(request) => *request,
            Next::End => return Ok(None),
        };
        let mut retries = Retries::default();
        let page = loop {
            match self.contacts.list(&self.access, &self.filter, request.clone()).await {
                Err(error) if retries.wait_after(&error).await => {}
                outcome => break outcome,
            }
        };
        let page = page.map_err(|error| {
            tracing::warn!(%error, "an export broke off");
            BrokenOff
        })?;
        let mut written = text.into_text();
        for contact in &page.items {
            self.write(&mut written, contact);
        }
        if page.next.is_some() {
            self.next = Next::Page(Box::new(SortedRequest { after: page.next, ..request }));
        }
        Ok(Some((Bytes::from(written), self)))
    }

    fn write(&self, written: &mut String, contact: &Contact) {
        let shown = serde_json::to_value(ContactView::from(contact)).unwrap_or_default();
        match self.format {
            Format::Ndjson => {
                written.push_str(&shown.to_string());
                written.push('\n');
            }
            Format::Csv => {
                let cells: Vec<String> = self.columns.iter().map(|column| cell(&shown, column)).collect();
                let mut line = Csv::default();
                line.line(cells.iter().map(String::as_str));
                written.push_str(&line.into_text());
            }
        }
    }
}

/// What stands in a column of a contact.
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

    #[test]
    fn a_cell_is_what_the_contact_says() {
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
