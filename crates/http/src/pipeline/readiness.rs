//! Readiness checks, provided by the wiring of the process.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::future::join_all;

/// The time limit of a check. A slower one has failed.
const PATIENCE: Duration = Duration::from_secs(5);

/// The result of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// It works.
    Fine,
    /// Requests work, but an operator should act; with the reason.
    Warning(String),
    /// Requests cannot be served; with the reason, which is public.
    Broken(String),
}

/// A check of something that must work.
#[async_trait]
pub trait Check: Send + Sync {
    /// Returns the name of the check, a single word.
    fn name(&self) -> &'static str;

    /// Runs the check.
    async fn look(&self) -> Finding;
}

/// All checks of the process.
#[derive(Clone, Default)]
pub struct Checks(pub Vec<Arc<dyn Check>>);

impl Checks {
    /// Runs all checks at once, each with a time limit.
    pub(crate) async fn look(&self) -> Vec<(&'static str, Finding)> {
        let looks = self.0.iter().map(|check| async move {
            let found = tokio::time::timeout(PATIENCE, check.look()).await;
            (check.name(), found.unwrap_or_else(|_| Finding::Broken("no answer in time".to_owned())))
        });
        join_all(looks).await
    }
}
