//! `/secrets`: values that only the HTTP requests of flows use. They are never shown.

use secrecy::SecretString;
use tidings_domain::Error;
use tidings_domain::body;
use tidings_domain::outcome::ExpectedVersion;
use tidings_domain::read::schema::{Annotate, Describe, described};
use tidings_domain::read::{Read, Violation, list as items, string, text};
use tidings_domain::secrets::{MAX_HOSTS, MAX_VALUE, PutSecret, Secret, SecretView};

use crate::request::paging::{List, PageParams};
use crate::request::path::SECRET;
use crate::request::{ForceParams, RequestContext};
use crate::response::answer::Answer;
use crate::response::problem::Problem;

const READ_ONLY: &[&str] = &["name", "created_at", "updated_at", "version"];

body! {
    /// A secret. Send all fields each time.
    #[read_only(READ_ONLY)]
    struct SecretValue {
        /// The value, 1 to 4096 bytes. It is stored encrypted and never returned.
        required value: SecretString = value();
        /// The hosts that can receive the secret: 1 to 20 exact host names.
        required hosts: Vec<String> = items(1..=MAX_HOSTS, text(1..=253)).example(serde_json::json!(["api.example.com"]));
    }
}

fn value() -> impl Read<SecretString> + Describe {
    let read = string(|text| match text.len() {
        0 => Err(Violation::at_root("blank", "must not be empty")),
        1..=MAX_VALUE => Ok(SecretString::from(text)),
        _ => Err(Violation::at_root("too_long", format!("must be at most {MAX_VALUE} bytes"))),
    });
    described(read, || text(1..=MAX_VALUE).describe())
}

/// List secrets.
///
/// Returns names and allowed hosts. Values are never returned.
#[utoipa::path(get, path = "/api/v1/secrets", tag = "Secrets", params(PageParams),
    responses((status = 200, description = "A page of secrets.", body = List<SecretView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let paging = cx.list_page::<PageParams>()?;
    let page = cx.services().secrets.list(cx.access(), paging.request).await?;
    Ok(cx.page(&paging, page, |secret| SecretView::from(secret)))
}

/// Get a secret.
///
/// Returns its name and allowed hosts. The value is never returned.
#[utoipa::path(get, path = "/api/v1/secrets/{name}", tag = "Secrets",
    responses((status = 200, description = "The secret.", body = SecretView)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    Ok(load_answer(&cx, &cx.path_parameter(&SECRET)?).await?)
}

/// Create or replace a secret.
///
/// Sets the value and the hosts. A name is a capital letter, then capital letters, digits and `_`; at most 64
/// characters.
#[utoipa::path(put, path = "/api/v1/secrets/{name}", tag = "Secrets", request_body = SecretValue, responses(
    (status = 200, description = "The replaced secret.", body = SecretView),
    (status = 201, description = "The new secret.", body = SecretView)))]
pub async fn put(cx: RequestContext) -> Result<Answer, Problem> {
    let SecretValue { value, hosts } = cx.body()?;
    let name = cx.path_parameter(&SECRET)?;
    let before = match load_answer(&cx, &name).await {
        Err(Error::NotFound) => None,
        shown => Some(shown?),
    };
    let expected = match before {
        Some(before) => cx.expected(async { Ok(before) }).await?,
        None if cx.preconditions().wants_one() => return Err(Error::PreconditionFailed.into()),
        None => ExpectedVersion::Any,
    };
    let command = PutSecret { name, value, hosts };
    let done = cx.services().secrets.put(cx.access(), command, &expected).await?;
    let place = format!("/api/v1/secrets/{}", done.value.name);
    Ok(show(&done.value).outcome(done.outcome).located(place))
}

/// Delete a secret.
///
/// Fails with `in_use` if flows use the secret, unless `force` is set.
#[utoipa::path(delete, path = "/api/v1/secrets/{name}", tag = "Secrets", params(ForceParams),
    responses((status = 204, description = "Deleted."),
    (status = 409, description = "`in_use`: flows use it; `dependents` lists them.")))]
pub async fn delete(cx: RequestContext) -> Result<Answer, Problem> {
    let deletion = cx.deletion()?;
    let name = cx.path_parameter(&SECRET)?;
    let expected = cx.expected(load_answer(&cx, &name)).await?;
    cx.services().secrets.delete(cx.access(), &name, deletion, &expected).await?;
    Ok(Answer::no_content())
}

async fn load_answer(cx: &RequestContext, name: &str) -> Result<Answer, Error> {
    Ok(show(&cx.services().secrets.get(cx.access(), name).await?))
}

fn show(secret: &Secret) -> Answer {
    Answer::object(&SecretView::from(secret), secret.version)
}
