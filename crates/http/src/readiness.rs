//! Whether a process can do its work: checks that whoever wires it hands in.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::future::join_all;

/// How long a check may take; what takes longer is not ready.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// All is well.
    Fine,
    /// It works, but somebody should look: the sentence says at what.
    Warning(String),
    /// Requests cannot be served: the sentence says why. It is shown to everybody.
    Broken(String),
}

/// One thing that must work.
#[async_trait]
pub trait Check: Send + Sync {
    /// Its name: a word.
    fn name(&self) -> &'static str;

    /// Looks at it now.
    async fn look(&self) -> Finding;
}

/// All that is to be looked at.
#[derive(Clone, Default)]
pub struct Checks(pub Vec<Arc<dyn Check>>);

impl Checks {
    /// Looks at everything at once, each within a bound.
    pub(crate) async fn look(&self) -> Vec<(&'static str, Finding)> {
        let looks = self.0.iter().map(|check| async move {
            let found = tokio::time::timeout(PATIENCE, check.look()).await;
            (check.name(), found.unwrap_or_else(|_| Finding::Broken("no answer in time".to_owned())))
        });
        join_all(looks).await
    }
}
