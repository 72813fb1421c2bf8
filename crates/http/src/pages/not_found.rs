//! 404 for unknown paths, with hints at similar ones.

use crate::response::problem::{Code, Problem};
use crate::routes::ROUTES;

const API: &str = "/api/v1/";
/// Names of health checks in other services.
const PROBES: [&str; 7] = ["health", "healthcheck", "live", "livez", "ping", "ready", "status"];

/// Returns 404, with a hint if the path is nearly correct.
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

/// Whether the API has paths that start with `/api/v1/` and this segment.
fn is_of_api(first: &str) -> bool {
    ROUTES.iter().filter_map(|route| route.path.strip_prefix(API)).any(|rest| rest.split('/').next() == Some(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_the_correct_path() {
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
