//! The room for files of contacts.

use crate::access::Access;
use crate::ports::{Ports, StoreError};

/// Returns how many bytes of contacts' files the workspace may still store. The files fill at most three quarters of the
/// limit, so strangers cannot take the room for uploads. Files that arrive at the same time can exceed it together.
///
/// # Errors
/// [`StoreError`].
pub(crate) async fn room_for_contacts(ports: &Ports, access: &Access) -> Result<i64, StoreError> {
    let Some(workspace) = ports.access.workspace(access.workspace()).await? else { return Ok(0) };
    let Some(limit) = ports.media_limits.total.of(workspace.plan) else { return Ok(i64::MAX) };
    let total = ports.media.total_size(access).await?;
    Ok((limit - limit / 4).saturating_sub(total).max(0))
}
