//! References between objects.

use async_trait::async_trait;

use crate::access::Access;
use crate::ids::WorkspaceId;
use crate::memory::{MemoryStore, State};
use crate::ports::{Guard, ReferenceChange, ReferenceQueries};
use crate::references::{Dependent, LostReference, Referent, Referrer};

use crate::memory::apply::Applied;
use crate::memory::tables::pages::Answer;

impl State {
    pub(super) fn change_references(&mut self, ws: WorkspaceId, change: ReferenceChange) -> Applied {
        match change {
            ReferenceChange::Put { owner, targets } => {
                self.references.retain(|(of, (named_by, _)), _| *of != ws || *named_by != owner);
                targets.into_iter().try_for_each(|target| {
                    self.check(ws, &Guard::Live(target.object()))?;
                    self.references.insert((ws, (owner, target)), None);
                    Ok(())
                })
            }
            ReferenceChange::Lose { target, name, at } => {
                let mut copies = 0;
                for ((of, (_, named)), lost) in &mut self.references {
                    if *of == ws && *named == target && lost.is_none() {
                        *lost = Some((name.clone(), at));
                        copies += name.len();
                    }
                }
                self.add_written(copies);
                Ok(())
            }
        }
    }
}

impl State {
    /// Whether an object refers to this one.
    pub(in crate::memory) fn is_referred_to(&self, ws: WorkspaceId, target: Referent) -> bool {
        self.references.iter().any(|((of, (_, named)), lost)| *of == ws && *named == target && lost.is_none())
    }
}

#[async_trait]
impl ReferenceQueries for MemoryStore {
    async fn dependents(&self, access: &Access, target: Referent) -> Answer<Vec<Dependent>> {
        Ok(self.lock().dependents(access.workspace(), target))
    }

    async fn targets(&self, access: &Access, owner: Referrer) -> Answer<Vec<Referent>> {
        let state = self.lock();
        let of_owner = state.references.iter().filter(|((ws, (it, _)), _)| *ws == access.workspace() && *it == owner);
        Ok(of_owner.filter(|(_, lost)| lost.is_none()).map(|((_, (_, target)), _)| *target).collect())
    }

    async fn lost_references(&self, access: &Access, owner: Referrer) -> Answer<Vec<LostReference>> {
        let state = self.lock();
        let of_owner = state.references.iter().filter(|((ws, (it, _)), _)| *ws == access.workspace() && *it == owner);
        let lost = of_owner.filter_map(|((_, (_, target)), lost)| {
            lost.clone().map(|(name, at)| LostReference::deleted(*target, name, at))
        });
        Ok(lost.collect())
    }
}
