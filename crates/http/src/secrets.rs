//! `/secrets`: values that only the HTTP requests of flows use. None is ever shown.

use secrecy::SecretString;
use tidings_domain::Error;
use tidings_domain::body;
use tidings_domain::outcome::Expected;
use tidings_domain::read::schema::{Annotate, Describe, described};
use tidings_domain::read::{Read, Violation, list as items, string, text};
use tidings_domain::secrets::{MAX_HOSTS, MAX_VALUE, PutSecret, Secret, SecretView};

use crate::answer::Answer;
use crate::paging::{List, PageParams};
use crate::path::SECRET;
use crate::problem::Problem;
use crate::request::{Cx, ForceParams};

const READ_ONLY: &[&str] = &["name", "created_at", "updated_at", "version"];

body! {
    /// What a secret is to be: all of it, each time.
    #[read_only(READ_ONLY)]
    struct SecretValue {
        /// The value, 1 to 4096 bytes. It is kept sealed, and no answer shows it.
        required value: SecretString = value();
        /// The hosts to which it may be sent: 1 to 20 exact host names.
        required hosts: Vec<String> = items(1..=MAX_HOSTS, text(1..=253)).example(serde_json::json!(["api.example.com"]));
    }
}

fn value() -> impl Read<SecretString> + Describe {
    let read = string(|text| match text.len() {
        0 => Err(Violation::here("blank", "must not be empty")),
        1..=MAX_VALUE => Ok(SecretString::from(text)),
        _ => Err(Violation::here("too_long", format!("must be at most {MAX_VALUE} bytes long"))),
    });
    described(read, || text(1..=MAX_VALUE).describe())
}

/// Lists secrets, without their values.
///
/// Names, and the hosts that each may be sent to. No answer ever has a value.
#[utoipa::path(get, path = "/api/v1/secrets", tag = "Secrets", params(PageParams),
    responses((status = 200, description = "A page of secrets.", body = List<SecretView>)))]
pub async fn list(cx: Cx) -> Result<Answer, Problem> {
    let paging = cx.list_page::<PageParams>()?;
    let page = cx.services().secrets.list(cx.access(), paging.request).await?;
    Ok(cx.page(&paging, page, |secret| SecretView::from(secret)))
}

/// Shows a secret, without its value.
///
/// Its name, and the hosts that it may be sent to. No answer ever has a value.
#[utoipa::path(get, path = "/api/v1/secrets/{name}", tag = "Secrets",
    responses((status = 200, description = "The secret.", body = SecretView)))]
pub async fn get(cx: Cx) -> Result<Answer, Problem> {
    Ok(shown(&cx, &cx.named(&SECRET)?).await?)
}

/// Makes a secret, or replaces its value and its hosts.
///
/// A name is a capital letter and then capital letters, digits and `_`, 64 at the most.
#[utoipa::path(put, path = "/api/v1/secrets/{name}", tag = "Secrets", request_body = SecretValue, responses(
    (status = 200, description = "The secret of this name, replaced.", body = SecretView),
    (status = 201, description = "The new secret.", body = SecretView)))]
pub async fn put(cx: Cx) -> Result<Answer, Problem> {
    let SecretValue { value, hosts } = cx.body()?;
    let name = cx.named(&SECRET)?;
    let before = match shown(&cx, &name).await {
        Err(Error::NotFound) => None,
        shown => Some(shown?),
    };
    let expected = match before {
        Some(before) => cx.expected(async { Ok(before) }).await?,
        None if cx.preconditions().wants_one() => return Err(Error::PreconditionFailed.into()),
        None => Expected::Any,
    };
    let command = PutSecret { name, value, hosts };
    let done = cx.services().secrets.put(cx.access(), command, &expected).await?;
    let place = format!("/api/v1/secrets/{}", done.value.name);
    Ok(show(&done.value).outcome(done.outcome).located(place))
}

/// Deletes a secret.
///
/// One that flows name is `in_use`, unless it is forced.
#[utoipa::path(delete, path = "/api/v1/secrets/{name}", tag = "Secrets", params(ForceParams),
    responses((status = 204, description = "It is gone."),
    (status = 409, description = "`in_use`: flows name it; `dependents` lists them.")))]
pub async fn delete(cx: Cx) -> Result<Answer, Problem> {
    let deletion = cx.deletion()?;
    let name = cx.named(&SECRET)?;
    let expected = cx.expected(shown(&cx, &name)).await?;
    cx.services().secrets.delete(cx.access(), &name, deletion, &expected).await?;
    Ok(Answer::no_content())
}

async fn shown(cx: &Cx, name: &str) -> Result<Answer, Error> {
    Ok(show(&cx.services().secrets.get(cx.access(), name).await?))
}

fn show(secret: &Secret) -> Answer {
    Answer::object(&SecretView::from(secret), secret.version)
}
