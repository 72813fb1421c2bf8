//! What operators and tools ask, without a key.

use std::sync::{Arc, OnceLock};

use serde::Serialize;
use tidings_domain::ids::{TypedId, WorkspaceId};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::answer::Answer;
use crate::held::{Coding, Held};
use crate::problem::{Code, Problem};
use crate::readiness::Finding;
use crate::state::State;

/// That a process is there.
#[derive(Serialize, ToSchema)]
struct Health {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
}

/// Tells that the process is alive.
///
/// It looks at nothing else.
#[utoipa::path(get, path = "/healthz", tag = "Operations",
    responses((status = 200, description = "It is.", body = Health)))]
pub async fn live(_: Arc<State>) -> Result<Answer, Problem> {
    Ok(Answer::json(&Health { status: "ok" }))
}

/// That a process can serve, and what was looked at.
#[derive(Serialize, ToSchema)]
struct Readiness {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The version of the program that answers.
    #[schema(example = "0.4.0")]
    version: &'static str,
    /// What was looked at.
    checks: Vec<CheckView>,
}

/// One thing that was looked at.
#[derive(Serialize, ToSchema)]
struct CheckView {
    /// Its name.
    #[schema(example = "storage")]
    name: &'static str,
    /// `ok`, or `warning` where it works and somebody should look.
    #[schema(example = "ok")]
    status: &'static str,
    /// What somebody should look at.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    detail: Option<String>,
}

/// Tells whether requests can be served: storage, migrations, engine and limits are looked at, and
/// the server is not about to stop.
///
/// Each check says what it found.
#[utoipa::path(get, path = "/readyz", tag = "Operations", responses(
    (status = 200, description = "They can.", body = Readiness),
    (status = 503, description = "`unavailable`: they cannot.")))]
pub async fn ready(state: Arc<State>) -> Result<Answer, Problem> {
    if state.is_draining() {
        return Err(Problem::new(Code::Unavailable).detail("The server is about to stop."));
    }
    // Nobody has this id: the answer is always none, and whether there is one is the question.
    state.services.ports.access.workspace(WorkspaceId::from_uuid(Uuid::nil())).await?;
    let mut checks = vec![CheckView { name: "storage", status: "ok", detail: None }];
    let mut broken = Vec::new();
    for (name, finding) in state.checks.look().await {
        match finding {
            Finding::Fine => checks.push(CheckView { name, status: "ok", detail: None }),
            Finding::Warning(detail) => checks.push(CheckView { name, status: "warning", detail: Some(detail) }),
            Finding::Broken(why) => broken.push(format!("{name}: {why}")),
        }
    }
    if broken.is_empty() {
        Ok(Answer::json(&Readiness { status: "ok", version: env!("CARGO_PKG_VERSION"), checks }))
    } else {
        Err(Problem::new(Code::Unavailable).detail(broken.join("; ")))
    }
}

/// Shows this document.
///
/// OpenAPI 3.1, made by the program that answers.
#[utoipa::path(get, path = "/openapi.json", tag = "Operations",
    responses((status = 200, description = "The API in OpenAPI 3.1.", body = Object)))]
pub async fn document(state: Arc<State>) -> Result<Answer, Problem> {
    static DOCUMENT: OnceLock<Arc<Held>> = OnceLock::new();
    let describe = state.document.get().ok_or_else(|| Problem::new(Code::Internal))?;
    let held = DOCUMENT.get_or_init(|| {
        // As with views: it has strings as keys, so that writing it cannot fail.
        let document = serde_json::to_vec(&describe()).unwrap_or_default();
        Arc::new(Held::new(document, Coding::Plain))
    });
    Ok(Answer::held("application/json", held))
}
