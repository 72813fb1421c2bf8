//! A cache of compiled flow versions. Versions are immutable.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::flows::{CompiledFlow, FlowVersion};
use crate::ids::{FlowId, WorkspaceId};
use crate::ports::StoreError;

/// Compiled versions by workspace, flow and number. Missing ones are compiled again.
#[derive(Debug, Default)]
pub(in crate::memory) struct Compiled {
    read: BTreeMap<(WorkspaceId, (FlowId, i64)), Arc<CompiledFlow>>,
    /// Total size of the definitions in bytes.
    bytes: usize,
}

impl Compiled {
    /// Returns the compiled version, from the cache if possible. The cache is cleared if it would exceed `most` bytes.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if the version is invalid.
    pub(in crate::memory) fn read(
        &mut self,
        workspace: WorkspaceId,
        version: &FlowVersion,
        most: usize,
    ) -> Result<Arc<CompiledFlow>, StoreError> {
        let key = (workspace, (version.flow, version.number));
        if let Some(read) = self.read.get(&key) {
            return Ok(Arc::clone(read));
        }
        let read = Arc::new(version.compile()?);
        if self.bytes.saturating_add(read.bytes) > most {
            *self = Self::default();
        }
        if read.bytes <= most {
            self.bytes += read.bytes;
            self.read.insert(key, Arc::clone(&read));
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::ids::TypedId;
    use crate::time::Timestamp;

    fn version(number: i64) -> FlowVersion {
        FlowVersion {
            flow: FlowId::from_uuid(Uuid::nil()),
            number,
            definition: json!({"start": "b", "nodes": [{"id": "b", "type": "end"}]}),
            tags: BTreeMap::new(),
            bindings: None,
            created_at: Timestamp::EPOCH_2026,
        }
    }

    #[test]
    fn caches_versions_up_to_the_memory_limit() {
        let (mut compiled, ws) = (Compiled::default(), WorkspaceId::from_uuid(Uuid::nil()));
        let first = compiled.read(ws, &version(1), usize::MAX).unwrap();
        assert!(Arc::ptr_eq(&first, &compiled.read(ws, &version(1), usize::MAX).unwrap()));
        let most = 3 * first.bytes;
        for number in 1..=10 {
            compiled.read(ws, &version(number), most).unwrap();
            let held: usize = compiled.read.values().map(|it| it.bytes).sum();
            assert_eq!(held, compiled.bytes);
            assert!((1..=most).contains(&held), "{held} of {most}");
        }
        compiled.read(ws, &version(11), 1).unwrap();
        assert_eq!((compiled.read.len(), compiled.bytes), (0, 0), "a version above the limit is not cached");
    }
}
