//! Large bodies of requests to inbound addresses: few are in memory at once.

use actix_web::HttpRequest;
use actix_web::http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use tidings_domain::channels::InboundRule;
use tidings_domain::ids::WorkspaceId;

use crate::limits::byte_budget::{ByteBudget, TakenBytes};
use crate::limits::workspace_limit::{Running, WorkspaceLimit};
use crate::response::problem::{Code, Problem};

/// Value of `Retry-After`, in seconds, if too many large bodies arrive at once.
const LARGE_RETRY: u64 = 10;

/// Returns the number of bytes that the request declares for its body.
pub(super) fn declared_length(request: &HttpRequest) -> usize {
    let headers = request.headers();
    let declared = headers.get(CONTENT_LENGTH).filter(|_| !headers.contains_key(TRANSFER_ENCODING));
    declared.and_then(|length| length.to_str().ok()?.parse().ok()).unwrap_or_default()
}

/// The body of a request. Its signature can only be verified when all of it is in memory, so each workspace receives few
/// large bodies at once, and all workspaces together receive a limited number of bytes.
pub(super) struct LargeBody<'l> {
    limit: (&'l WorkspaceLimit, WorkspaceId),
    budget: &'l ByteBudget,
    /// The maximum size of the body in bytes.
    most: usize,
    running: Option<(Running, TakenBytes)>,
}

impl<'l> LargeBody<'l> {
    pub(super) fn new(limit: (&'l WorkspaceLimit, WorkspaceId), budget: &'l ByteBudget, most: usize) -> Self {
        Self { limit, budget, most, running: None }
    }

    /// Admits a body that will have this length, until this is dropped.
    ///
    /// # Errors
    /// As [`LargeBody::grow`].
    pub(super) fn declare(&mut self, length: usize) -> Result<(), Problem> {
        self.admit(length, length.min(self.most))
    }

    /// Admits a body that has this length already. Its whole length is not known, so the largest one counts.
    ///
    /// # Errors
    /// If the body is large: 429 if the workspace receives as many as the limit allows, 503 if all workspaces do.
    pub(super) fn grow(&mut self, length: usize) -> Result<(), Problem> {
        self.admit(length, self.most)
    }

    fn admit(&mut self, length: usize, bytes: usize) -> Result<(), Problem> {
        if length > InboundRule::USUAL_BODY && self.running.is_none() {
            let (limit, workspace) = self.limit;
            let of_workspace = || Problem::new(Code::ComputeLimit).retry_after(LARGE_RETRY);
            let running = limit.begin(workspace).ok_or_else(of_workspace)?;
            let of_process = || {
                let problem = Problem::new(Code::Unavailable)
                    .detail("The server is receiving too many large requests. Retry after `Retry-After` seconds.");
                problem.retry_after(LARGE_RETRY)
            };
            self.running = Some((running, self.budget.take(bytes).ok_or_else(of_process)?));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;
    use crate::testing::workspace_id;

    #[test]
    fn limits_the_large_bodies_of_each_workspace() {
        const USUAL: usize = InboundRule::USUAL_BODY;
        let (limit, budget) = (WorkspaceLimit::new(1), ByteBudget::new(100 * USUAL));
        let body = |workspace: u128| LargeBody::new((&limit, workspace_id(workspace)), &budget, 10 * USUAL);
        let (mut first, mut second, mut other) = (body(1), body(1), body(2));
        assert_eq!((code(first.grow(USUAL)), code(second.declare(USUAL))), (Ok(()), Ok(())));
        assert_eq!((code(first.grow(USUAL + 1)), code(first.grow(USUAL + 2))), (Ok(()), Ok(())), "it counts once");
        assert_eq!(code(second.declare(USUAL + 1)), Err(Code::ComputeLimit));
        assert_eq!(code(other.grow(USUAL + 1)), Ok(()), "another workspace");
        drop(first);
        assert_eq!(code(second.grow(USUAL + 1)), Ok(()));
    }

    #[test]
    fn limits_the_bytes_of_the_large_bodies_of_all_workspaces() {
        const USUAL: usize = InboundRule::USUAL_BODY;
        let (limit, budget) = (WorkspaceLimit::new(1), ByteBudget::new(10 * USUAL));
        let body = |workspace: u128| LargeBody::new((&limit, workspace_id(workspace)), &budget, 6 * USUAL);
        let (mut first, mut second, mut third) = (body(1), body(2), body(3));
        assert_eq!(code(first.grow(USUAL + 1)), Ok(()), "it may become the largest body");
        assert_eq!(code(second.grow(USUAL + 1)), Err(Code::Unavailable));
        assert_eq!(code(second.declare(4 * USUAL)), Ok(()), "the refusal left no trace");
        assert_eq!(code(third.declare(2 * USUAL)), Err(Code::Unavailable));
        assert_eq!(code(third.declare(USUAL)), Ok(()), "a usual body");
        drop(first);
        assert_eq!(code(third.declare(100 * USUAL)), Ok(()), "a longer body is rejected for its length");
    }

    fn code(admitted: Result<(), Problem>) -> Result<(), Code> {
        admitted.map_err(|problem| problem.code())
    }

    #[test]
    fn only_a_content_length_declares_the_length() {
        let declared = |headers: &[(&'static str, &'static str)]| {
            let request = headers.iter().copied().fold(TestRequest::post(), TestRequest::insert_header);
            declared_length(&request.to_http_request())
        };
        assert_eq!(declared(&[("content-length", "300000")]), 300_000);
        assert_eq!(declared(&[("content-length", "300000"), ("transfer-encoding", "chunked")]), 0);
        assert_eq!((declared(&[]), declared(&[("content-length", "x")])), (0, 0));
    }
}
