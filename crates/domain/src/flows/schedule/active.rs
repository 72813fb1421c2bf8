//! The active version of a flow.

use std::sync::Arc;

use crate::access::Access;
use crate::flows::{CompiledFlow, FlowStatus};
use crate::ids::FlowId;
use crate::ports::{Guard, Object, Ports, StoreError};

/// An active flow with its published version.
pub(super) struct Active {
    pub version: Arc<CompiledFlow>,
    /// Fails the commit if this changes.
    pub guard: Guard,
}

pub(super) async fn active(ports: &Ports, access: &Access, flow: FlowId) -> Result<Option<Active>, StoreError> {
    let Some(flow) = ports.flows.get(access, flow).await? else { return Ok(None) };
    let number = flow.version_published.filter(|_| flow.status == FlowStatus::Active);
    let Some(number) = number else { return Ok(None) };
    let version = ports.flows.compiled(access, flow.id, number).await?;
    let version =
        version.ok_or_else(|| StoreError::Corrupt(format!("version {number} of {} cannot be read", flow.id)))?;
    Ok(Some(Active { version, guard: Guard::Version(Object::Flow(flow.id), flow.version) }))
}
