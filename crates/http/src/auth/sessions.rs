//! `/auth/sessions`: where a person is signed in.

use serde::Serialize;
use tidings_domain::access::LiveSession;
use tidings_domain::ids::SessionId;
use tidings_domain::time::Timestamp;
use utoipa::ToSchema;

use crate::answer::Answer;
use crate::path::SESSION;
use crate::problem::Problem;
use crate::request::Cx;

/// A session that can be carried on.
#[derive(Serialize, ToSchema)]
struct LiveSessionView {
    /// Its id.
    id: SessionId,
    /// Whether it is the one that asks.
    current: bool,
    /// When it began.
    created_at: Timestamp,
    /// When its tokens were last refreshed; before that, when it began.
    last_used_at: Timestamp,
    /// When it ends at the latest.
    expires_at: Timestamp,
    /// From which network it began: an IPv4 address, or the first 64 bits of an IPv6 address; `null`
    /// where that was not kept.
    #[schema(example = "203.0.113.7")]
    network: Option<String>,
    /// What the browser or program that began it called itself, at most 200 printable characters.
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

/// Where a person is signed in.
#[derive(Serialize, ToSchema)]
struct LiveSessions {
    /// The sessions, newest first; at most 100.
    data: Vec<LiveSessionView>,
}

/// Lists the sessions of the person who asks.
///
/// Those that can be carried on, newest first: the 100 that began last.
#[utoipa::path(get, path = "/auth/sessions", tag = "Login",
    responses((status = 200, description = "Their sessions.", body = LiveSessions)))]
pub async fn list(cx: Cx) -> Result<Answer, Problem> {
    let person = cx.person()?;
    let live = cx.services().login.sessions(person.user.id).await?;
    let view = |it: &LiveSession| LiveSessionView::seen_from(it, person.session.id);
    Ok(Answer::json(&LiveSessions { data: live.iter().map(view).collect() }))
}

/// Ends a session of the person who asks.
///
/// Its tokens are refused everywhere within five seconds. It may be the session that asks.
#[utoipa::path(delete, path = "/auth/sessions/{id}", tag = "Login",
    responses((status = 204, description = "It has ended.")))]
pub async fn end(cx: Cx) -> Result<Answer, Problem> {
    cx.services().login.end_own(cx.person()?.user.id, cx.named(&SESSION)?).await?;
    Ok(Answer::no_content())
}
