//! `GET /contacts/{id}/export`: all data about a contact, streamed.

use std::collections::VecDeque;

use actix_web::http::header::CONTENT_DISPOSITION;
use async_trait::async_trait;
use tidings_domain::Error;
use tidings_domain::disclosure::{DisclosedPart, DisclosureReader, DisclosureView};

use crate::request::RequestContext;
use crate::request::path::CONTACT;
use crate::response::answer::Answer;
use crate::response::export_body::{ExportSource, Piece};
use crate::response::problem::Problem;

/// Export a contact.
///
/// Returns all stored data of the contact as one JSON object. The response is streamed. If it ends early, the transfer
/// is incomplete at the HTTP level. Use the ID for a deleted contact.
#[utoipa::path(get, path = "/api/v1/contacts/{id}/export", tag = "Contacts",
    responses((status = 200, description = "All stored data of the contact.", body = DisclosureView)))]
pub async fn export(cx: RequestContext) -> Result<Answer, Problem> {
    let running = cx.begin_export()?;
    let reader = cx.services().disclosure.of(cx.access(), &cx.path_parameter(&CONTACT)?).await?;
    let (before, rows) = (String::new(), VecDeque::new());
    let written = DisclosureBody { reader, before, rows, last: None, is_over: false };
    let answer = cx.exported("application/json", written, running);
    Ok(answer.with(CONTENT_DISPOSITION, "attachment; filename=\"contact.json\""))
}

/// The state of an export.
struct DisclosureBody {
    reader: DisclosureReader,
    before: String,
    rows: VecDeque<String>,
    /// The current part: its name, whether it is a list, and whether it has a row.
    last: Option<(&'static str, bool, bool)>,
    is_over: bool,
}

#[async_trait]
impl ExportSource for DisclosureBody {
    fn append(&mut self, text: &mut String) -> Piece {
        if !self.before.is_empty() {
            text.push_str(&std::mem::take(&mut self.before));
            return Piece::Appended;
        }
        match self.rows.pop_front() {
            Some(row) => {
                if let Some((_, _, has_rows)) = &mut self.last
                    && std::mem::replace(has_rows, true)
                {
                    text.push(',');
                }
                text.push_str(&row);
                Piece::Appended
            }
            None if self.is_over => Piece::End,
            None => Piece::NeedsRows,
        }
    }

    async fn fetch(&mut self) -> Result<(), Error> {
        match self.reader.next().await? {
            Some(portion) => self.begin(portion),
            None => {
                self.before = self.end_of_part().to_owned() + "}";
                self.is_over = true;
            }
        }
        Ok(())
    }
}

impl DisclosureBody {
    fn begin(&mut self, DisclosedPart { name, is_list, rows }: DisclosedPart) {
        self.rows = rows.into();
        if self.last.is_some_and(|(last, ..)| last == name) {
            return;
        }
        let (between, open) = (if self.last.is_some() { "," } else { "{" }, if is_list { "[" } else { "" });
        self.before = format!("{}{between}\"{name}\":{open}", self.end_of_part());
        self.last = Some((name, is_list, false));
    }

    fn end_of_part(&self) -> &'static str {
        if self.last.is_some_and(|(_, is_list, _)| is_list) { "]" } else { "" }
    }
}
