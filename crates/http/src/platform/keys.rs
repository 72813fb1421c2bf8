//! `/platform/workspaces/{ws}/api-keys`: keys of the REST API.

use std::time::Duration;

use secrecy::ExposeSecret;
use serde::Serialize;
use tidings_domain::Error;
use tidings_domain::access::{ApiKeyView, CreatedKey, NewKey, Scope};
use tidings_domain::ids::{KeyId, WorkspaceId};
use tidings_domain::outcome::Done;
use tidings_domain::platform::{MAX_OVERLAP, Rotation};
use tidings_domain::read::{Input, Read, Violation, string, text, timestamp, word};
use tidings_domain::time::IsoDuration;
use utoipa::{IntoParams, ToSchema};

use super::WorkspacePath;
use crate::answer::Answer;
use crate::paging::{List, PageParams};
use crate::problem::Problem;
use crate::request::Cx;

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
/// How long a rotated key goes on where nothing is said.
const OVERLAP: Duration = Duration::from_secs(86_400);

/// A key in the path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[allow(dead_code, reason = "describes the parameters")]
struct KeyPath {
    /// The workspace's id.
    #[param(inline)]
    ws: WorkspaceId,
    /// The key's id.
    #[param(inline)]
    id: KeyId,
}

/// A key to be created.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes the body")]
struct CreateApiKey {
    /// What people call it.
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// What it may do: at most what you may.
    scope: Scope,
    /// From when on it opens nothing; never, when absent.
    #[schema(format = "date-time")]
    expires_at: Option<String>,
}

/// How a key is replaced.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes the body")]
struct RotateApiKey {
    /// How long the old key goes on, at most `P7D`; `P1D` when absent. `PT0S` ends it at once.
    #[schema(example = "P1D")]
    overlap: Option<String>,
}

/// A new key, with its text.
#[derive(Serialize, ToSchema)]
struct CreatedApiKey {
    #[serde(flatten)]
    view: ApiKeyView,
    /// The whole key, shown this once.
    key: String,
}

fn scope(input: Input<'_>) -> Result<Scope, Vec<Violation>> {
    word(&Scope::ALL.map(Scope::as_str), Scope::parse).read(input)
}

fn overlap(input: Input<'_>) -> Result<Duration, Vec<Violation>> {
    string(|text| {
        let wrong = |why: String| Violation::here("invalid_format", why);
        let read = text.parse::<IsoDuration>().map_err(|error| wrong(error.to_string()))?.get();
        if read <= MAX_OVERLAP { Ok(read) } else { Err(Violation::here("out_of_range", "must be at most P7D")) }
    })
    .read(input)
}

fn shown_once(workspace: WorkspaceId) -> impl Fn(&Done<CreatedKey>) -> Answer + Send + Sync {
    move |done| {
        let CreatedKey { key, text } = &done.value;
        let shown = CreatedApiKey { view: ApiKeyView::from(key), key: text.expose_secret().to_owned() };
        let location = format!("/platform/workspaces/{workspace}/api-keys/{}", key.id);
        Answer::object(&shown, key.version).outcome(done.outcome).located(location)
    }
}

/// Lists the keys that are not revoked.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/api-keys", tag = "Platform", params(WorkspacePath, PageParams),
    responses((status = 200, description = "A page of keys.", body = List<ApiKeyView>)))]
pub async fn list(cx: Cx) -> Result<Answer, Problem> {
    let (query, paging) = cx.list_query()?;
    query.finish().map_err(Problem::validation)?;
    let page = cx.services().platform.keys(cx.access(), paging.request).await?;
    Ok(cx.page(&paging, page, |key| ApiKeyView::from(key)))
}

/// Creates a key.
///
/// The answer holds the whole key; it is never shown again.
#[utoipa::path(post, path = "/platform/workspaces/{ws}/api-keys", tag = "Platform", params(WorkspacePath),
    request_body = CreateApiKey, responses((status = 201, description = "The key.", body = CreatedApiKey)))]
pub async fn create(cx: Cx) -> Result<Answer, Problem> {
    let now = cx.services().ports.clock.now();
    let command = cx.read(READ_ONLY, |body| {
        let (name, scope) = (body.required("name", text(1..=100)), body.required("scope", scope));
        let expires_at = body.nullable("expires_at", timestamp());
        if expires_at.is_some_and(|at| at <= now) {
            body.error("/expires_at", "in_the_past", "must lie in the future");
        }
        Some(NewKey { name: name?.trim().to_owned(), scope: scope?, expires_at })
    })?;
    let render = shown_once(cx.access().workspace());
    cx.once(render, async |keep| cx.services().platform.create_key(cx.access(), command, keep).await).await
}

/// Replaces a key by one of the same name and scope.
///
/// Both open until the overlap is over. The answer holds the whole new key.
#[utoipa::path(post, path = "/platform/workspaces/{ws}/api-keys/{id}/rotate", tag = "Platform", params(KeyPath),
    request_body = RotateApiKey, responses((status = 201, description = "The new key.", body = CreatedApiKey)))]
pub async fn rotate(cx: Cx) -> Result<Answer, Problem> {
    let overlap = cx.read(&[], |body| Some(body.nullable("overlap", overlap)))?;
    let (key, rotation) = (cx.id("id")?, Rotation { overlap: overlap.unwrap_or(OVERLAP) });
    let render = shown_once(cx.access().workspace());
    cx.once(render, async |keep| {
        let expected = cx.expected(shown(&cx, key)).await?;
        cx.services().platform.rotate_key(cx.access(), key, rotation, &expected, keep).await
    })
    .await
}

/// Revokes a key.
///
/// It is refused everywhere within five seconds.
#[utoipa::path(delete, path = "/platform/workspaces/{ws}/api-keys/{id}", tag = "Platform", params(KeyPath),
    responses((status = 204, description = "It opens nothing any more.")))]
pub async fn delete(cx: Cx) -> Result<Answer, Problem> {
    let key = cx.id("id")?;
    let expected = cx.expected(shown(&cx, key)).await?;
    cx.services().platform.revoke_key(cx.access(), key, &expected).await?;
    Ok(Answer::no_content())
}

async fn shown(cx: &Cx, key: KeyId) -> Result<Answer, Error> {
    let key = cx.services().platform.key(cx.access(), key).await?;
    Ok(Answer::object(&ApiKeyView::from(&key), key.version))
}
