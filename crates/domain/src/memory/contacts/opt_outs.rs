//! Opt-outs of contacts that no longer exist.

use async_trait::async_trait;

use crate::access::Access;
use crate::ids::WorkspaceId;
use crate::memory::apply::{Applied, referenced};
use crate::memory::bounds::texts::texts;
use crate::memory::tables::pages::Answer;
use crate::memory::{MemoryStore, State};
use crate::opt_outs::OptOutChange;
use crate::ports::{Conflict, OptOutQueries, Remembered};

/// The sealed key of a workspace, with the number of times that opt-outs were recorded.
#[derive(Debug, Clone)]
pub(in crate::memory) struct KeptKey {
    pub(in crate::memory) sealed: Vec<u8>,
    revision: i64,
}

texts! { KeptKey { text: sealed; shown: ; beside: revision } }

impl State {
    pub(in crate::memory) fn change_opt_outs(&mut self, ws: WorkspaceId, change: OptOutChange) -> Applied {
        match change {
            OptOutChange::MakeKey { sealed, .. } => {
                self.opt_out_keys.entry(ws).or_insert(KeptKey { sealed, revision: 1 });
                Ok(())
            }
            OptOutChange::Remember { opt_outs, .. } => {
                self.opt_out_keys.get_mut(&ws).ok_or(Conflict::CatalogChanged)?.revision += 1;
                for it in opt_outs {
                    referenced(it.channel.is_none_or(|channel| self.channel_was_made(ws, channel)))?;
                    self.opt_outs.entry((ws, it.digest)).or_insert(it.channel);
                }
                Ok(())
            }
            OptOutChange::Lift { digests } => {
                self.opt_outs.retain(|(of, digest), _| *of != ws || !digests.contains(digest));
                Ok(())
            }
            OptOutChange::Require { revision } => match self.opt_out_revision(ws) == revision {
                true => Ok(()),
                false => Err(Conflict::CatalogChanged.into()),
            },
        }
    }

    fn opt_out_revision(&self, ws: WorkspaceId) -> i64 {
        self.opt_out_keys.get(&ws).map_or(0, |key| key.revision)
    }
}

#[async_trait]
impl OptOutQueries for MemoryStore {
    async fn among(&self, access: &Access, digests: &[[u8; 32]]) -> Answer<Remembered> {
        let (state, ws) = (self.lock(), access.workspace());
        let digests = digests.iter().filter(|digest| state.opt_outs.contains_key(&(ws, **digest)));
        Ok(Remembered { revision: state.opt_out_revision(ws), digests: digests.copied().collect() })
    }
}
