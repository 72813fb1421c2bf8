//! `/platform/workspaces/{ws}/api-keys`: keys of the REST API.

use std::time::Duration;

use secrecy::ExposeSecret;
use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::access::{ApiKeyView, CreatedKey, NewKey, Scope};
use tidings_domain::body;
use tidings_domain::ids::{KeyId, WorkspaceId};
use tidings_domain::outcome::Done;
use tidings_domain::platform::{MAX_OVERLAP, Rotation};
use tidings_domain::read::schema::Annotate;
use tidings_domain::read::{Body, Input, Violation, name, string, timestamp, word};
use tidings_domain::time::{IsoDuration, Timestamp};
use utoipa::ToSchema;

use crate::request::RequestContext;
use crate::request::paging::{List, PageParams};
use crate::request::path::API_KEY;
use crate::response::answer::Answer;
use crate::response::problem::Problem;

const READ_ONLY: &[&str] = &[
    "id",
    "workspace_id",
    "prefix",
    "last_four",
    "created_at",
    "revoked_at",
    "last_used_at",
    "last_used_address",
    "updated_at",
    "version",
    "key",
];
/// The default time until a rotated key expires.
const OVERLAP: Duration = Duration::from_secs(86_400);

body! {
    /// An API key to create.
    #[read_only(READ_ONLY)]
    struct CreateApiKey {
        /// Display name.
        required name: String = name(1..=100);
        /// Scope of the key, at most your own scope.
        required scope: Scope = word(Scope::ALL.map(Scope::as_str), Scope::parse);
        /// When the key expires; never if absent.
        nullable expires_at: Timestamp = timestamp();
    }
}

body! {
    /// Options for rotating an API key.
    struct RotateApiKey {
        /// Remaining validity of the old key, at most `P7D`; `P1D` if absent. `PT0S` ends it at once.
        nullable overlap: Duration = string(overlap).example("P1D");
    }
}

/// A new API key, with the whole key.
#[derive(Serialize, ToSchema)]
struct CreatedApiKey {
    #[serde(flatten)]
    view: ApiKeyView,
    /// The whole key; shown only once.
    key: String,
}

fn overlap(text: &str) -> Result<Duration, Violation> {
    let wrong = |why: String| Violation::at_root("invalid_format", why);
    let read = text.parse::<IsoDuration>().map_err(|error| wrong(error.to_string()))?.get();
    if read <= MAX_OVERLAP { Ok(read) } else { Err(Violation::at_root("out_of_range", "must be at most P7D")) }
}

fn shown_once(workspace: WorkspaceId) -> impl Fn(&Done<CreatedKey>) -> Answer + Send + Sync {
    move |done| {
        let CreatedKey { key, text } = &done.value;
        let shown = CreatedApiKey { view: ApiKeyView::from(key), key: text.expose_secret().to_owned() };
        let location = format!("/platform/workspaces/{workspace}/api-keys/{}", key.id);
        Answer::object(&shown, key.version).outcome(done.outcome).located(location)
    }
}

/// List API keys.
///
/// Returns keys that are not revoked. The whole key is shown only when it is created.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/api-keys", tag = "Platform", params(PageParams),
    responses((status = 200, description = "A page of keys.", body = List<ApiKeyView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let paging = cx.list_page::<PageParams>()?;
    let page = cx.services().platform.keys(cx.access(), paging.request).await?;
    Ok(cx.page(&paging, page, |key| ApiKeyView::from(key)))
}

/// Create an API key.
///
/// The response contains the whole key, which is never shown again.
#[utoipa::path(post, path = "/platform/workspaces/{ws}/api-keys", tag = "Platform",
    request_body = CreateApiKey, responses((status = 201, description = "The key.", body = CreatedApiKey)))]
pub async fn create(cx: RequestContext) -> Result<Answer, Problem> {
    let now = cx.services().ports.clock.now();
    let command = cx.read(CreateApiKey::READ_ONLY, |body| {
        let read = CreateApiKey::read(body);
        let given = body.get("expires_at").and_then(Input::as_str).and_then(|text| text.parse::<Timestamp>().ok());
        if given.is_some_and(|at| at <= now) {
            body.error("/expires_at", "in_the_past", "must be in the future");
        }
        let CreateApiKey { name, scope, expires_at } = read?;
        Some(NewKey { name: name.trim().to_owned(), scope, expires_at })
    })?;
    let render = shown_once(cx.access().workspace());
    cx.run_idempotent(render, async |idempotency| {
        cx.services().platform.create_key(cx.access(), command, idempotency).await
    })
    .await
}

/// Rotate an API key.
///
/// Replaces the key with a new key of the same name and scope. Both are valid until `overlap` ends. The response
/// contains the whole new key.
#[utoipa::path(post, path = "/platform/workspaces/{ws}/api-keys/{id}/rotate", tag = "Platform",
    request_body = RotateApiKey, responses((status = 201, description = "The new key.", body = CreatedApiKey)))]
pub async fn rotate(cx: RequestContext) -> Result<Answer, Problem> {
    let RotateApiKey { overlap } = cx.body()?;
    let (key, rotation) = (cx.path_parameter(&API_KEY)?, Rotation { overlap: overlap.unwrap_or(OVERLAP) });
    let render = shown_once(cx.access().workspace());
    cx.run_idempotent(render, async |idempotency| {
        let expected = cx.expected(load_answer(&cx, key)).await?;
        cx.services().platform.rotate_key(cx.access(), key, rotation, &expected, idempotency).await
    })
    .await
}

/// Revoke an API key.
///
/// All servers reject the key within five seconds.
#[utoipa::path(delete, path = "/platform/workspaces/{ws}/api-keys/{id}", tag = "Platform",
    responses((status = 204, description = "Revoked.")))]
pub async fn delete(cx: RequestContext) -> Result<Answer, Problem> {
    let key = cx.path_parameter(&API_KEY)?;
    let expected = cx.expected(load_answer(&cx, key)).await?;
    cx.services().platform.revoke_key(cx.access(), key, &expected).await?;
    Ok(Answer::no_content())
}

async fn load_answer(cx: &RequestContext, key: KeyId) -> Result<Answer, Error> {
    let key = cx.services().platform.key(cx.access(), key).await?;
    Ok(Answer::object(&ApiKeyView::from(&key), key.version))
}
