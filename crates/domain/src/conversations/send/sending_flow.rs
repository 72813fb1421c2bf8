//! The flow or broadcast that sends a message.

use super::super::Message;
use super::MessageSender;
use crate::access::{Access, ActorKind};
use crate::broadcasts::Broadcast;
use crate::flows::FlowStatus;
use crate::ids::FlowId;
use crate::ports::{Guard, Object, StoreError};

/// The state of the flow that sends a message.
pub(super) enum SendingFlow {
    /// The sender is no flow, or a flow that was active when the message was read.
    Unguarded,
    /// It is active, guarded by this.
    Active(Guard),
    /// It is paused, guarded by this.
    Paused(FlowId, Guard),
    /// It is archived or deleted.
    Gone,
}

impl SendingFlow {
    pub(super) fn guard(self) -> Option<Guard> {
        match self {
            Self::Active(guard) => Some(guard),
            Self::Unguarded | Self::Paused(..) | Self::Gone => None,
        }
    }
}

impl MessageSender {
    pub(super) async fn broadcast_of(
        &self,
        access: &Access,
        message: &Message,
    ) -> Result<Option<Broadcast>, StoreError> {
        let of_broadcast = Some(&message.sender).filter(|sender| sender.kind == ActorKind::Broadcast);
        let Some(id) = of_broadcast.and_then(|sender| sender.id.as_deref()?.parse().ok()) else { return Ok(None) };
        self.ports.broadcasts.get(access, id).await
    }

    /// Returns the state of the flow that sends a message. An active flow needs no query if the catalog still has the
    /// revision that was read with the message; otherwise the commit must guard the flow.
    pub(super) async fn flow_of(
        &self,
        access: &Access,
        message: &Message,
        catalog: Option<i64>,
    ) -> Result<SendingFlow, StoreError> {
        let of_flow = Some(&message.sender).filter(|sender| sender.kind == ActorKind::Flow);
        let id: Option<FlowId> = of_flow.and_then(|sender| sender.id.as_deref()?.parse().ok());
        let Some(id) = id else { return Ok(SendingFlow::Unguarded) };
        if let Some(revision) = catalog {
            let held = self.ports.catalog.catalog(access.workspace()).await?;
            if held.revision == revision && held.active_flows.contains_key(&id) {
                return Ok(SendingFlow::Unguarded);
            }
        }
        let Some(flow) = self.ports.flows.get(access, id).await? else { return Ok(SendingFlow::Gone) };
        let guard = Guard::Version(Object::Flow(id), flow.version);
        Ok(match flow.status {
            FlowStatus::Draft | FlowStatus::Active => SendingFlow::Active(guard),
            FlowStatus::Paused => SendingFlow::Paused(id, guard),
            FlowStatus::Archived => SendingFlow::Gone,
        })
    }
}
