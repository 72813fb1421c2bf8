//! `/auth/sessions`: the sessions of a user.

use serde::Serialize;
use tidings_domain::access::LiveSession;
use tidings_domain::ids::SessionId;
use tidings_domain::time::Timestamp;
use utoipa::ToSchema;

use crate::request::RequestContext;
use crate::request::path::SESSION;
use crate::response::answer::Answer;
use crate::response::problem::Problem;

/// A session that is not over.
#[derive(Serialize, ToSchema)]
struct LiveSessionView {
    /// ID of the session.
    id: SessionId,
    /// Whether this is the session of the request.
    current: bool,
    /// When the session began.
    created_at: Timestamp,
    /// When its tokens were last refreshed; the start of the session before the first refresh.
    last_used_at: Timestamp,
    /// Latest end of the session.
    expires_at: Timestamp,
    /// Client network at the start of the session: an IPv4 address, or the first 64 bits of an IPv6 address; `null` if
    /// it was not stored.
    #[schema(example = "203.0.113.7")]
    network: Option<String>,
    /// `User-Agent` of the browser or program that began the session: at most 200 printable characters.
    user_agent: Option<String>,
}

impl LiveSessionView {
    fn seen_from(it: &LiveSession, current: SessionId) -> Self {
        let LiveSession { session, last_used_at } = it;
        Self {
            id: session.id,
            current: session.id == current,
            created_at: session.created_at,
            last_used_at: *last_used_at,
            expires_at: session.expires_at,
            network: session.network.clone(),
            user_agent: session.user_agent.as_ref().map(|it| it.as_str().to_owned()),
        }
    }
}

/// The sessions of a user.
#[derive(Serialize, ToSchema)]
struct LiveSessions {
    /// The sessions, newest first; at most 100.
    data: Vec<LiveSessionView>,
}

/// List sessions.
///
/// Returns the active sessions of the current user, newest first; at most 100.
#[utoipa::path(get, path = "/auth/sessions", tag = "Login",
    responses((status = 200, description = "The sessions.", body = LiveSessions)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let person = cx.person()?;
    let live = cx.services().login.sessions(person.user.id).await?;
    let view = |it: &LiveSession| LiveSessionView::seen_from(it, person.session.id);
    Ok(Answer::json(&LiveSessions { data: live.iter().map(view).collect() }))
}

/// End a session.
///
/// All servers reject its tokens within five seconds. You can end the session of this request, too.
#[utoipa::path(delete, path = "/auth/sessions/{id}", tag = "Login",
    responses((status = 204, description = "The session has ended.")))]
pub async fn end(cx: RequestContext) -> Result<Answer, Problem> {
    cx.services().login.end_own(cx.person()?.user.id, cx.path_parameter(&SESSION)?).await?;
    Ok(Answer::no_content())
}
