//! The active flows to which messages with a draft's keywords go, as they are older.

use super::{Definition, Trigger};
use crate::access::Access;
use crate::ids::FlowId;
use crate::ports::{Ports, StoreError};

/// How many triggers of other flows are looked at the most.
const MOST_RIVALS: usize = 20;

/// A trigger of another active flow that takes all messages with one of the draft's keywords. Of several flows whose triggers fit
/// a message equally well the oldest starts, and this one is older than the draft's.
#[derive(Debug, Clone)]
pub struct Rival {
    /// What people call the flow.
    pub name: String,
    /// What starts it.
    pub trigger: Trigger,
}

impl Rival {
    /// The rivals of a draft, the oldest first; `own` is the draft's flow, where it was saved already.
    ///
    /// # Errors
    /// [`StoreError`]
    pub(super) async fn of(
        ports: &Ports,
        access: &Access,
        draft: &Definition,
        own: Option<FlowId>,
    ) -> Result<Vec<Self>, StoreError> {
        if draft.triggers.iter().all(|trigger| trigger.keywords().is_empty()) {
            return Ok(Vec::new());
        }
        let own = match own {
            Some(own) => ports.flows.get(access, own).await?,
            None => None,
        };
        let mut triggers = ports.flows.keyword_triggers(access).await?;
        // They come in the order in which their flows were made.
        if let Some(place) = triggers.iter().position(|it| own.as_ref().is_some_and(|own| own.id == it.flow)) {
            triggers.truncate(place);
        }
        let takes_some = |other: &Trigger, of: &Trigger| of.keywords().iter().any(|word| other.takes(word, of));
        triggers.retain(|it| draft.triggers.iter().any(|of| takes_some(&it.trigger, of)));
        let mut rivals = Vec::new();
        for active in triggers.into_iter().take(MOST_RIVALS) {
            let Some(flow) = ports.flows.get(access, active.flow).await? else { continue };
            if own.as_ref().is_some_and(|own| (own.created_at, own.id) <= (flow.created_at, flow.id)) {
                break;
            }
            rivals.push(Self { name: flow.name, trigger: active.trigger });
        }
        Ok(rivals)
    }
}
