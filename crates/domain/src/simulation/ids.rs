//! Ids of what is made up.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use uuid::Uuid;

use super::recorder::Recorder;
use crate::ids::{FlowId, RunId, TypedId};
use crate::ports::Ids;

/// Where they begin: behind all that anybody makes, as a UUID of the version 8 (RFC 9562 §5.8).
const FIRST: u128 = 0xffff_0000_0000_8000_8000_0000_0000_0000;

/// Ids that count, and that nothing of the workspace has; but for the first run of the flow that is tried, where it is said
/// which it has: a `split` goes by it.
pub(super) struct MadeUpIds {
    pub(super) made: AtomicU64,
    pub(super) recorder: Arc<Recorder>,
    pub(super) first: Option<(FlowId, RunId)>,
}

impl Ids for MadeUpIds {
    fn next(&self) -> Uuid {
        Uuid::from_u128(FIRST + u128::from(self.made.fetch_add(1, Ordering::Relaxed)))
    }

    fn next_run(&self, flow: FlowId) -> RunId {
        // A start that is decided anew has the same id again.
        match self.first.filter(|(of, run)| *of == flow && !self.recorder.knows(*run)) {
            Some((_, run)) => run,
            None => RunId::from_uuid(self.next()),
        }
    }
}
