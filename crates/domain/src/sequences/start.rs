//! The start of a flow as a sequence's step.

use std::sync::Arc;

use serde_json::Map;

use crate::access::Access;
use crate::contacts::Contact;
use crate::flows::{StartPlan, Started, Starter};
use crate::ids::{FlowId, RunId};
use crate::ports::{ChangeSet, Ports};
use crate::retry::AttemptError;

/// Adds a start of the flow to a change set, where it may be started; what came of it, and the run. A
/// sequence does not end because a flow of it rests: what was not started is noted, and the next step
/// comes in its time.
///
/// # Errors
/// [`AttemptError`] where the store did not do its part.
pub(super) async fn add_start(
    ports: &Arc<Ports>,
    access: &Access,
    flow: FlowId,
    contact: &Contact,
    set: &mut ChangeSet,
) -> Result<(&'static str, Option<RunId>), AttemptError> {
    let Some(flow) = ports.flows.get(access, flow).await? else { return Ok(("skipped: flow_missing", None)) };
    let plan =
        StartPlan { flow: &flow, contact: contact.id, vars: Map::new(), channel: None, cause: None, event: None };
    let starter = Starter { ports: ports.clone() };
    Ok(match starter.add(access, &plan, None, set).await? {
        Started::Began(run) => ("started", Some(run.id)),
        Started::Lives(run) => ("already running", Some(run.id)),
        Started::NotActive => ("skipped: flow_not_active", None),
        Started::TooOften { .. } => ("skipped: start_limit", None),
        Started::TooDeep => ("skipped: loop_guard", None),
    })
}
