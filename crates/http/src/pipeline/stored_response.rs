//! Responses in idempotency records.

use std::collections::BTreeSet;

use actix_web::http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use tidings_domain::ports::{IdempotencyRecord, ShownObject, StoredBody};

use crate::pipeline::route::Route;
use crate::request::RequestContext;
use crate::response::answer::Answer;
use crate::response::compress;
use crate::response::problem::{Code, Problem};
use crate::routes::shown_at;

/// The maximum size in gzip of a stored response, if its object can be rendered again.
const MOST: usize = 16 * 1024;

#[derive(Deserialize)]
struct Shown {
    id: String,
    version: Option<i64>,
}

impl RequestContext {
    /// Returns the stored form of a response: the whole response if it contains a secret, is small enough, or has no
    /// object that can be rendered.
    pub(crate) fn stored_body(&self, record_key: &str, answer: &Answer) -> StoredBody {
        let body = &answer.body;
        if self.route.traits.secret {
            return StoredBody::Sealed(self.services().ports.sealer.seal(body, &self.seal_context(record_key)));
        }
        if body.len() <= MOST {
            return StoredBody::Plain(body.to_vec());
        }
        let contacts = contacts_in(body);
        if let Some(packed) = compress::gzip_with_comment(body, &contacts, MOST) {
            return StoredBody::Gzip(packed);
        }
        match shown_object(self.route, &self.path, answer) {
            Some(object) => StoredBody::Object(object),
            None => compress::gzip_with_comment(body, &contacts, usize::MAX)
                .map_or_else(|| StoredBody::Plain(body.to_vec()), StoredBody::Gzip),
        }
    }

    /// Returns the response of a record.
    ///
    /// # Errors
    /// 500 if the record is corrupt; the errors of the object's GET, if the object is rendered again.
    pub(crate) async fn answer_of(&self, record: IdempotencyRecord) -> Result<Answer, Problem> {
        let body = match record.body {
            StoredBody::Plain(body) => body,
            StoredBody::Gzip(body) => compress::unpack(&body).ok_or_else(|| {
                tracing::error!("cannot decompress a stored response");
                Problem::new(Code::Internal)
            })?,
            StoredBody::Sealed(sealed) => {
                let context = self.seal_context(&record.key);
                self.services().ports.sealer.open(&sealed, &context).map_err(|error| {
                    tracing::error!(%error, "cannot decrypt a stored response");
                    Problem::new(Code::Internal)
                })?
            }
            StoredBody::Object(object) => {
                let mut answer = self.rendered(&object).await?.rendered_again();
                answer.status = StatusCode::from_u16(record.status).unwrap_or(StatusCode::OK);
                answer.location = record.location;
                return Ok(answer);
            }
        };
        Ok(Answer::repeated(record.status, body, record.etag.as_deref(), record.location))
    }

    /// Returns the current GET response of the object.
    async fn rendered(&self, object: &ShownObject) -> Result<Answer, Problem> {
        let Some((route, show)) = shown_at(&object.path) else { return Ok(deleted(object)) };
        let shown = show(self.get_of(route, object.path.clone()).await?).await;
        match shown {
            // The GET of a merged contact shows the remaining contact.
            Ok(answer) if is_of(&answer, object) => Ok(answer),
            Ok(_) => Ok(deleted(object)),
            Err(problem) if problem.code() == Code::NotFound => Ok(deleted(object)),
            Err(problem) => Err(problem),
        }
    }
}

fn deleted(object: &ShownObject) -> Answer {
    Answer::json(&json!({"id": object.id, "deleted": true}))
}

fn is_of(answer: &Answer, object: &ShownObject) -> bool {
    serde_json::from_slice::<Shown>(&answer.body).is_ok_and(|shown| shown.id == object.id)
}

/// Returns the object of a response, if it has a GET: at the response's `Location`, otherwise at the longest prefix of
/// the request's path that shows one object.
fn shown_object(route: &Route, path: &str, answer: &Answer) -> Option<ShownObject> {
    let Shown { id, version } = serde_json::from_slice(&answer.body).ok()?;
    let path = answer.location.clone().or_else(|| path_of(route, path, &id))?;
    shown_at(&path)?;
    Some(ShownObject { path, id, version })
}

/// Returns the path of the object `id`. A request can use another identifier of the contact, or return another contact.
fn path_of(route: &Route, path: &str, id: &str) -> Option<String> {
    let (template, path): (Vec<&str>, Vec<&str>) = (route.path.split('/').collect(), path.split('/').collect());
    (1..=template.len().min(path.len())).rev().find_map(|length| {
        let (template, mut path) = (template.get(..length)?, path.get(..length)?.to_vec());
        if *template.last()? == "{id}" {
            *path.last_mut()? = id;
        }
        let path = path.join("/");
        (template.last()?.starts_with('{') && shown_at(&path).is_some()).then_some(path)
    })
}

/// Returns the IDs of contacts in a body, without duplicates, separated by spaces.
fn contacts_in(body: &[u8]) -> String {
    const PREFIX: &str = "contact_";
    const DIGITS: usize = 26;
    let text = std::str::from_utf8(body).unwrap_or_default();
    let ids = text.match_indices(PREFIX).filter_map(|(at, _)| text.get(at..at + PREFIX.len() + DIGITS));
    let ids: BTreeSet<&str> = ids.filter(|id| id.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')).collect();
    ids.into_iter().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
