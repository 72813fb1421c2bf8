//! What is said of a path that stands in no table: where it was meant to lead, if that can be told.

use crate::problem::{Code, Problem};
use crate::routes::ROUTES;

/// Where the API is.
const API: &str = "/api/v1/";
/// By which names other services tell whether they live.
const PROBES: [&str; 7] = ["health", "healthcheck", "live", "livez", "ping", "ready", "status"];

/// 404, with what is there where the path is nearly right.
pub(super) fn problem(path: &str) -> Problem {
    let problem = Problem::new(Code::RouteNotFound);
    let mut segments = path.split('/').skip(1);
    let (first, second) = (segments.next().unwrap_or_default(), segments.next());
    if PROBES.contains(&first) {
        problem.detail(
            "There is no route at this path. `GET /healthz` checks liveness, and `GET /readyz` checks readiness.",
        )
    } else if first == "v1" || is_of_api(first) || (first == "api" && second != Some("v1")) {
        problem.detail("There is no route at this path. API paths begin with `/api/v1/`; see `/docs`.")
    } else {
        problem
    }
}

/// Whether paths of the API go on so behind `/api/v1/`.
fn is_of_api(first: &str) -> bool {
    ROUTES.iter().filter_map(|route| route.path.strip_prefix(API)).any(|rest| rest.split('/').next() == Some(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_is_nearly_right_is_told_what_is() {
        for (path, told) in [
            ("/health", "`GET /healthz`"),
            ("/status/live", "`GET /healthz`"),
            ("/v1/contacts", "begin with `/api/v1/`"),
            ("/contacts/x", "begin with `/api/v1/`"),
            ("/api/contacts", "begin with `/api/v1/`"),
            ("/api", "begin with `/api/v1/`"),
            ("/api/v1/nothing", Code::RouteNotFound.detail()),
            ("/nothing", Code::RouteNotFound.detail()),
            ("/", Code::RouteNotFound.detail()),
        ] {
            let body = problem(path).body(None, None);
            assert!(body.contains(told), "{path}: {body}");
        }
    }
}
