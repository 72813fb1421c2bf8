//! IDs of simulated objects.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use uuid::Uuid;

use super::recorder::Recorder;
use crate::ids::{FlowId, RunId, TypedId};
use crate::ports::Ids;

/// The first ID: UUIDs of version 8 (RFC 9562 §5.8) after all IDs that are generated otherwise.
const FIRST: u128 = 0xffff_0000_0000_8000_8000_0000_0000_0000;

/// Sequential IDs that no object of the workspace has. The first run of the simulated flow may have a given ID
/// instead, because a `split` depends on it.
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
        // A start that is decided again gets the same ID again.
        match self.first.filter(|(of, run)| *of == flow && !self.recorder.knows(*run)) {
            Some((_, run)) => run,
            None => RunId::from_uuid(self.next()),
        }
    }
}
