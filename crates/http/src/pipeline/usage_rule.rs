//! Which requests the usage log contains, and which of them streams report.

use std::collections::HashSet;

use tidings_domain::access::usage::UsageRecord;
use tidings_domain::ids::WorkspaceId;

/// Reading the usage log is not logged, otherwise it would never come to rest.
const LOG_OF_REQUESTS: &str = "/platform/workspaces/{ws}/usage";
/// Opening a stream is logged, but not reported to streams.
const STREAM: &str = "/api/v1/stream";

/// Whether requests of a route are in the usage log.
pub(crate) fn is_recorded(route: &str) -> bool {
    !route.starts_with(LOG_OF_REQUESTS)
}

/// Whether streams report a new request of a route.
fn is_told(route: &str) -> bool {
    is_recorded(route) && route != STREAM
}

/// Returns the workspaces with new requests that streams report.
pub(crate) fn told_of(requests: &[UsageRecord]) -> HashSet<WorkspaceId> {
    requests.iter().filter(|it| is_told(&it.route)).map(|it| it.workspace).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::ROUTES;
    use crate::testing::{a_request, workspace_id};

    /// Returns the paths of the table that do not satisfy the condition.
    fn but_those(is_it: fn(&str) -> bool) -> Vec<&'static str> {
        let mut paths: Vec<&str> = ROUTES.iter().map(|route| route.path).filter(|path| !is_it(path)).collect();
        paths.dedup();
        paths
    }

    #[test]
    fn excludes_the_usage_log_and_streams() {
        let log = ["", "/summary", "/histogram", "/errors", "/keys", "/export"];
        let log: Vec<String> = log.iter().map(|rest| format!("/platform/workspaces/{{ws}}/usage{rest}")).collect();
        assert_eq!(but_those(is_recorded), log);
        let live: Vec<&str> = ROUTES.iter().filter(|route| route.traits.live).map(|route| route.path).collect();
        let silent: Vec<&str> = live.into_iter().chain(log.iter().map(String::as_str)).collect();
        assert_eq!(but_those(is_told), silent);
        assert!(is_told("none"), "requests without a route cause a hint");
    }

    #[test]
    fn notifies_each_workspace_once() {
        let tags = "/api/v1/tags";
        let requests = [a_request(1, tags), a_request(1, tags), a_request(1, STREAM), a_request(2, STREAM)];
        assert_eq!(told_of(&requests), HashSet::from([workspace_id(1)]));
        assert_eq!(told_of(&requests[2..]), HashSet::new());
    }
}
