//! Older active flows that receive messages with a draft's keywords or referrals.

use super::{ActiveTrigger, Definition, Flow, Trigger};
use crate::access::Access;
use crate::ids::FlowId;
use crate::ports::{Ports, StoreError};

/// Maximum number of triggers of other flows that are returned, for keywords and for referrals each.
const MOST_RIVALS: usize = 20;

/// A trigger of another active flow that receives all messages with one of the draft's keywords or referrals. If
/// several triggers fit a message equally well, the oldest flow starts, and this flow is older than the draft's.
#[derive(Debug, Clone)]
pub struct CompetingTrigger {
    /// Display name of the flow.
    pub name: String,
    /// The trigger.
    pub trigger: Trigger,
}

impl CompetingTrigger {
    /// Returns the rivals of a draft, oldest flow first; `own` is the draft's flow, if it was saved already.
    ///
    /// # Errors
    /// [`StoreError`]
    pub(super) async fn of(
        ports: &Ports,
        access: &Access,
        draft: &Definition,
        own: Option<FlowId>,
    ) -> Result<Vec<Self>, StoreError> {
        let has = |is_meant: fn(&Trigger) -> bool| draft.triggers.iter().any(is_meant);
        let has_keywords = has(|it| matches!(it, Trigger::Keyword { .. }));
        let has_referrals = has(|it| matches!(it, Trigger::Referral { .. }));
        if !has_keywords && !has_referrals {
            return Ok(Vec::new());
        }
        let own = match own {
            Some(own) => ports.flows.get(access, own).await?,
            None => None,
        };
        let mut rivals = Vec::new();
        if has_keywords {
            let active = ports.flows.keyword_triggers(access).await?;
            rivals.extend(Self::among(ports, access, draft, (active, own.as_ref())).await?);
        }
        if has_referrals {
            let active = ports.flows.referral_triggers(access).await?;
            rivals.extend(Self::among(ports, access, draft, (active, own.as_ref())).await?);
        }
        Ok(rivals)
    }

    /// Returns the rivals among active triggers, which are ordered by the creation of their flows.
    async fn among(
        ports: &Ports,
        access: &Access,
        draft: &Definition,
        (mut triggers, own): (Vec<ActiveTrigger>, Option<&Flow>),
    ) -> Result<Vec<Self>, StoreError> {
        if let Some(place) = triggers.iter().position(|it| own.is_some_and(|own| own.id == it.flow)) {
            triggers.truncate(place);
        }
        let takes_some = |other: &Trigger, of: &Trigger| of.words().iter().any(|word| other.takes(word, of));
        triggers.retain(|it| draft.triggers.iter().any(|of| takes_some(&it.trigger, of)));
        let mut rivals = Vec::new();
        for active in triggers.into_iter().take(MOST_RIVALS) {
            let Some(flow) = ports.flows.get(access, active.flow).await? else { continue };
            if own.is_some_and(|own| (own.created_at, own.id) <= (flow.created_at, flow.id)) {
                break;
            }
            rivals.push(Self { name: flow.name, trigger: active.trigger });
        }
        Ok(rivals)
    }
}
