//! `/contacts/import` and `/contacts/imports`: imports of tables of contacts.

use std::collections::VecDeque;

use actix_web::http::header::CONTENT_DISPOSITION;
use async_trait::async_trait;
use tidings_domain::Error;
use tidings_domain::access::Access;
use tidings_domain::contacts::{ContactKey, MOST_WRONG, OnError};
use tidings_domain::ids::ImportId;
use tidings_domain::imports::{
    Import, ImportCheck, ImportService, ImportView, NewImport, OnExisting, RejectedRow, TableOptions,
};
use tidings_domain::outcome::{Done, Outcome};
use tidings_domain::read::schema::{Annotate, Describe};
use tidings_domain::read::{Read, Violation, string, word};
use tidings_domain::tables::{Delimiter, Format, MAX_COLUMNS, TextEncoding};

use super::body::contact_key;
use crate::request::RequestContext;
use crate::request::paging::{List, PageParams};
use crate::request::path::IMPORT;
use crate::request::query::{flag, parameters};
use crate::response::answer::Answer;
use crate::response::export_body::{ExportSource, Piece};
use crate::response::problem::{Code, Problem};
use crate::response::rejected_rows::RejectedTable;

/// The number of rejected rows in a page, which is held until the client has read it. Each has at most 64 KiB.
const PAGE: u32 = 16;
/// The maximum number of named columns, the same as in a table.
const MOST_COLUMNS: usize = MAX_COLUMNS;
/// Value of `Retry-After`, in seconds, of a rejected check.
const RETRY: u64 = 2;

parameters! {
    struct ImportParams {
        /// `true` checks the table and stores nothing. The response is 200 with an `ImportCheck`: the formats, the
        /// wrong cells, and what must be decided.
        one check: bool = flag();
        /// Encoding of the table, such as `utf-8`, `utf-16le` or `windows-1252`. If absent, it is detected.
        one encoding: TextEncoding = encoding();
        /// Delimiter of the table: `,`, `;`, `tab` or `|`. If absent, it is detected.
        one delimiter: Delimiter = delimiter();
        /// Maps a column whose heading does not name its target, such as `Mail 2:email` or `Plan:custom_fields.plan`;
        /// `Notes:-` skips a column. `#3` names the third column if it has no heading. Repeat for each column.
        many columns as "column": (String, String) = column(), MOST_COLUMNS;
        /// Format of the cells of a column, such as `Since:date:dd/mm/yyyy`. Required if the cells fit several formats.
        /// Repeat for each column.
        many formats as "format": (String, Format) = format(), MOST_COLUMNS;
        /// Action for a cell that does not fit its column: `reject_row` (default), or `skip_cell`, which imports the
        /// rest of the row. A row with a wrong identifier, `subscribed` or `status` is always rejected.
        one on_error: OnError = word(OnError::WORDS, OnError::parse);
        /// Action for a row if the contact already exists: `update` it (default), `keep` it unchanged, or `reject`
        /// the row.
        one existing: OnExisting = word(OnExisting::WORDS, OnExisting::parse);
        /// The only identifier used to find the contacts of rows: `external_id`, `email` or `phone`; the others are
        /// ordinary values. If absent, identifiers are tried in this order.
        one key: ContactKey = contact_key();
    }
}

/// Reads the name of a column and its target.
fn column() -> impl Read<(String, String)> + Describe {
    string(|text: &str| -> Result<(String, String), Violation> {
        let named = text.rsplit_once(':').filter(|(name, is)| !name.is_empty() && !is.is_empty());
        let (name, is) = named.ok_or_else(|| {
            Violation::at_root("invalid_column", "expected the name of a column and its target, such as `E-Mail:email`")
        })?;
        Ok((name.to_owned(), is.to_owned()))
    })
    .example("E-Mail:email")
}

/// Reads the heading of a column and the format of its cells.
fn format() -> impl Read<(String, Format)> + Describe {
    string(|text: &str| -> Result<(String, Format), Violation> {
        // Headings and formats may contain `:`.
        let places = text.match_indices(':').map(|(place, _)| place);
        let pairs = places.filter_map(|place| Some((text.get(..place)?, text.get(place + 1..)?)));
        let pairs: Vec<_> = pairs.filter(|(heading, _)| !heading.is_empty()).collect();
        let found = pairs.iter().find_map(|(heading, is)| Some(((*heading).to_owned(), is.parse().ok()?)));
        let told = || match pairs.first().and_then(|(_, is)| is.parse::<Format>().err()) {
            Some(error) => error.to_string(),
            None => "expected the heading of a column and its format, such as `Since:date:dd/mm/yyyy`".to_owned(),
        };
        found.ok_or_else(|| Violation::at_root("invalid_format", told()))
    })
    .example("Since:date:dd/mm/yyyy")
}

fn encoding() -> impl Read<TextEncoding> + Describe {
    string(|text: &str| text.parse().map_err(|error| vec![Violation::at_root("invalid_value", format!("{error}"))]))
        .example("windows-1252")
}

fn delimiter() -> impl Read<Delimiter> + Describe {
    string(|text: &str| text.parse().map_err(|error| vec![Violation::at_root("invalid_value", format!("{error}"))]))
        .example(";")
}

/// Import contacts.
///
/// The body is a table of at most 5 MiB, as `text/csv`, in the form that a spreadsheet writes: encoding, delimiter,
/// dates, numbers and lists are detected. Headings name columns as in an export (attributes, `status`, `subscribed`,
/// `tags`, `custom_fields.KEY`) or as common products do, in several languages. One column must be `external_id`,
/// `email` or `phone`, to find existing contacts. The server imports the rows in the background, each as `POST
/// /contacts/batch` would. Invalid rows are rejected; the others are imported. An import never subscribes a contact who
/// has opted out.
///
/// If a heading is unknown, or the cells of a column fit several formats, the response is 422 with the parameter to set.
/// Use `check=true` first: it reports everything at once, and the parameters that repeat its reading.
///
/// To import corrected rows, send the table of rejected rows again with the same `column` parameters. If a table begins
/// with the columns `line`, `column`, `code` and `message`, the server ignores these four columns.
#[utoipa::path(post, path = "/api/v1/contacts/import", tag = "Contacts", params(ImportParams),
    request_body(content = String, content_type = "text/csv", example = "external_id,first_name\n7,Ada\n"),
    responses((status = 200, description = "The check of the table.", body = ImportCheck),
        (status = 202, description = "The import.", body = ImportView)))]
pub async fn start(cx: RequestContext) -> Result<Answer, Problem> {
    let params: ImportParams = cx.parameters()?;
    let ImportParams { check, encoding, delimiter, columns, formats, on_error, existing, key } = params;
    let existing = existing.unwrap_or(OnExisting::Update);
    let on_error = on_error.unwrap_or(OnError::RejectRow);
    let options = TableOptions { encoding, delimiter, columns, formats, country: None };
    let command = NewImport { table: cx.table(), options, on_error, existing, key };
    if check == Some(true) {
        let running = cx.state.table_checks.begin(cx.access().workspace());
        let _running = running.ok_or_else(|| {
            Problem::new(Code::SearchLimit).detail("A check of this workspace is running.").retry_after(RETRY)
        })?;
        return Ok(Answer::json(&cx.services().imports.check(cx.access(), &command).await?));
    }
    cx.run_idempotent(render, async |idempotency| cx.services().imports.start(cx.access(), command, idempotency).await)
        .await
}

/// List imports.
///
/// Returns the progress of each import. Finished imports stay for 30 days.
#[utoipa::path(get, path = "/api/v1/contacts/imports", tag = "Contacts", params(PageParams),
    responses((status = 200, description = "A page of imports.", body = List<ImportView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let paging = cx.list_page::<PageParams>()?;
    let page = cx.services().imports.list(cx.access(), paging.request).await?;
    Ok(cx.page(&paging, page, |import| ImportView::from(import)))
}

/// Get an import.
///
/// The counts change while rows are imported.
#[utoipa::path(get, path = "/api/v1/contacts/imports/{id}", tag = "Contacts",
    responses((status = 200, description = "The import.", body = ImportView)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    Ok(show(&cx.services().imports.get(cx.access(), cx.path_parameter(&IMPORT)?).await?))
}

/// Cancel an import.
///
/// Imported rows stay, and the rest is not imported. An import that has ended stays unchanged.
#[utoipa::path(post, path = "/api/v1/contacts/imports/{id}/cancel", tag = "Contacts",
    responses((status = 200, description = "The import.", body = ImportView)))]
pub async fn cancel(cx: RequestContext) -> Result<Answer, Problem> {
    let import = cx.path_parameter(&IMPORT)?;
    cx.run_idempotent(render, async |idempotency| cx.services().imports.cancel(cx.access(), import, idempotency).await)
        .await
}

/// Export rejected rows.
///
/// Returns a table with one line per error, at most 20 per row: the line in the imported table, the column, a code, a
/// message, and then the row. The first 10 000 rejected rows of an import are kept. A `'` is added before cells that a
/// spreadsheet would read as a formula.
///
/// Correct the cells and import the table again, with the same `column` parameters. The four columns before the row are
/// ignored. If a row has several lines, correct one of them and delete the others.
#[utoipa::path(get, path = "/api/v1/contacts/imports/{id}/rejected", tag = "Contacts",
    responses((status = 200, description = "The rows.", content(
        (String = "text/csv; charset=utf-8", example = "line,column,code,message,email\n7,email,invalid_value,\
            expected an email address such as ada@example.com,ada@\n")))))]
pub async fn rejected(cx: RequestContext) -> Result<Answer, Problem> {
    let running = cx.begin_export()?;
    let imports = cx.services().imports.clone();
    let import = imports.get(cx.access(), cx.path_parameter(&IMPORT)?).await?;
    let table = RejectedTable::of(&import.columns, &import.names);
    let head = Some(table.head().to_owned());
    let access = cx.access().clone();
    let rows = VecDeque::new();
    let rows = RejectedBody { imports, access, import: import.id, table, head, rows, wrong: 0, behind: Some(0) };
    let answer = cx.exported("text/csv; charset=utf-8", rows, running);
    Ok(answer.with(CONTENT_DISPOSITION, "attachment; filename=\"rejected.csv\""))
}

/// A table of rejected rows that is being written.
struct RejectedBody {
    imports: ImportService,
    access: Access,
    import: ImportId,
    table: RejectedTable,
    head: Option<String>,
    rows: VecDeque<RejectedRow>,
    /// The number of errors of the first row that are written.
    wrong: usize,
    /// The line number after which the next rows start; `None` after the last one.
    behind: Option<i64>,
}

#[async_trait]
impl ExportSource for RejectedBody {
    fn append(&mut self, text: &mut String) -> Piece {
        if let Some(head) = self.head.take() {
            text.push_str(&head);
            return Piece::Appended;
        }
        let Some(row) = self.rows.front() else {
            return if self.behind.is_some() { Piece::NeedsRows } else { Piece::End };
        };
        match row.wrong.get(self.wrong).filter(|_| self.wrong < MOST_WRONG) {
            Some(wrong) => {
                self.table.append(text, &row.line.to_string(), &row.cells, wrong);
                self.wrong += 1;
            }
            None => {
                self.rows.pop_front();
                self.wrong = 0;
            }
        }
        Piece::Appended
    }

    async fn fetch(&mut self) -> Result<(), Error> {
        let Some(behind) = self.behind.take() else { return Ok(()) };
        let rows = self.imports.rejected(&self.access, self.import, behind, PAGE).await?;
        self.behind = rows.last().map(|row| row.line).filter(|_| rows.len() as u64 >= u64::from(PAGE));
        self.rows = rows.into();
        Ok(())
    }
}

fn show(import: &Import) -> Answer {
    Answer::object(&ImportView::from(import), import.version)
}

fn render(done: &Done<Import>) -> Answer {
    let answer = show(&done.value).outcome(done.outcome);
    match done.outcome {
        Outcome::Created | Outcome::Accepted => answer.located(format!("/api/v1/contacts/imports/{}", done.value.id)),
        Outcome::Changed | Outcome::Unchanged => answer,
    }
}
