//! The plan's requests per minute, counted per workspace.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use actix_web::http::header::{HeaderName, HeaderValue};
use tidings_domain::access::limiter::{Decision, RollingWindow, WINDOW_SECONDS};
use tidings_domain::ids::WorkspaceId;
use tidings_domain::time::Timestamp;

/// How many windows are kept before the idle ones are first thrown away.
const FIRST_SWEEP: usize = 1_024;

/// One window per workspace, all its keys together.
pub(crate) struct PlanWindows(Mutex<Windows>);

struct Windows {
    by_workspace: HashMap<WorkspaceId, RollingWindow>,
    sweep_at: usize,
}

impl Default for PlanWindows {
    fn default() -> Self {
        Self(Mutex::new(Windows { by_workspace: HashMap::new(), sweep_at: FIRST_SWEEP }))
    }
}

impl PlanWindows {
    /// Counts one request of the workspace, if the limit still admits it.
    pub(crate) fn admit(&self, workspace: WorkspaceId, limit: u32, now: Timestamp) -> Decision {
        let mut windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.by_workspace.len() >= windows.sweep_at {
            windows.by_workspace.retain(|_, window| !window.is_idle(now.millis()));
            // Twice what is in use: sweeping stays cheap however many workspaces are busy.
            windows.sweep_at = FIRST_SWEEP.max(windows.by_workspace.len() * 2);
        }
        windows.by_workspace.entry(workspace).or_default().admit(limit, now.millis())
    }
}

/// The headers that every authenticated answer carries (draft-ietf-httpapi-ratelimit-headers, and
/// the older form that most clients know).
pub(crate) fn headers(decision: &Decision) -> Vec<(HeaderName, HeaderValue)> {
    let Decision { limit, remaining, reset_seconds, .. } = decision;
    let pairs = [
        ("ratelimit-policy", format!("\"plan\";q={limit};w={WINDOW_SECONDS}")),
        ("ratelimit", format!("\"plan\";r={remaining};t={reset_seconds}")),
        ("x-ratelimit-limit", limit.to_string()),
        ("x-ratelimit-remaining", remaining.to_string()),
        ("x-ratelimit-reset", reset_seconds.to_string()),
    ];
    let header = |(name, value): (&'static str, String)| {
        Some((HeaderName::from_static(name), HeaderValue::from_str(&value).ok()?))
    };
    pairs.into_iter().filter_map(header).collect()
}

#[cfg(test)]
mod tests {
    use tidings_domain::ids::TypedId;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn idle_workspaces_are_forgotten_and_busy_ones_are_not() {
        let windows = PlanWindows::default();
        let workspace = |number: u128| WorkspaceId::from_uuid(Uuid::from_u128(number));
        let start = Timestamp::EPOCH_2026;
        let later = Timestamp::from_millis(start.millis() + 120_000);
        for number in 0..FIRST_SWEEP as u128 - 1 {
            windows.admit(workspace(number), 5, start);
        }
        windows.admit(workspace(7_000), 5, later);
        assert_eq!(windows.admit(workspace(8_000), 5, later).remaining, 4);
        assert_eq!(windows.0.lock().unwrap().by_workspace.len(), 2);
        assert_eq!(windows.admit(workspace(7_000), 5, later).remaining, 3);
    }
}
