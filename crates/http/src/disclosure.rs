//! `GET /contacts/{id}/export`: all that is kept of one person, as long as the client takes it.

use actix_web::http::header::CONTENT_DISPOSITION;
use bytes::Bytes;
use futures::stream;
use tidings_domain::disclosure::{DisclosedPart, DisclosureReader, DisclosureView};

use crate::answer::{Answer, BrokenOff};
use crate::path::CONTACT;
use crate::problem::Problem;
use crate::request::Cx;

/// Writes all that is kept of a contact.
///
/// One JSON object, which goes on as long as the client takes it; where it breaks off before its end the transfer is
/// incomplete, as HTTP tells it. A deleted contact is named by its id.
#[utoipa::path(get, path = "/api/v1/contacts/{id}/export", tag = "Contacts",
    responses((status = 200, description = "All that is kept.", body = DisclosureView)))]
pub async fn export(cx: Cx) -> Result<Answer, Problem> {
    let reader = cx.services().disclosure.of(cx.access(), &cx.named(&CONTACT)?).await?;
    let text = stream::try_unfold(Written { reader, last: None, is_over: false }, Written::next);
    Ok(Answer::streamed("application/json", text).with(CONTENT_DISPOSITION, "attachment; filename=\"contact.json\""))
}

/// A disclosure that is under way.
struct Written {
    reader: DisclosureReader,
    /// The part that is open, and whether it has a row.
    last: Option<(DisclosedPart, bool)>,
    is_over: bool,
}

impl Written {
    async fn next(mut self) -> Result<Option<(Bytes, Self)>, BrokenOff> {
        if self.is_over {
            return Ok(None);
        }
        let portion = self.reader.next().await.map_err(|error| {
            tracing::warn!(%error, "an export of a person broke off");
            BrokenOff
        })?;
        let mut text = String::new();
        match portion {
            Some(portion) => self.write(portion, &mut text),
            None => {
                text.push_str(self.end_of_part());
                text.push('}');
                self.is_over = true;
            }
        }
        Ok(Some((Bytes::from(text), self)))
    }

    fn end_of_part(&self) -> &'static str {
        if self.last.as_ref().is_some_and(|(part, _)| part.is_list) { "]" } else { "" }
    }

    fn write(&mut self, mut portion: DisclosedPart, text: &mut String) {
        let goes_on = self.last.as_ref().filter(|(part, _)| part.name == portion.name).map(|(_, has_rows)| *has_rows);
        if goes_on.is_none() {
            text.push_str(self.end_of_part());
            text.push(if self.last.is_some() { ',' } else { '{' });
            text.push_str(&format!("\"{}\":{}", portion.name, if portion.is_list { "[" } else { "" }));
        }
        let mut has_rows = goes_on.unwrap_or(false);
        for row in portion.rows.drain(..) {
            if has_rows {
                text.push(',');
            }
            text.push_str(&row);
            has_rows = true;
        }
        self.last = Some((portion, has_rows));
    }
}
