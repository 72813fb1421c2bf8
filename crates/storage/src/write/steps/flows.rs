//! Steps of flows, sequences and broadcasts.

use tidings_domain::ports::{BroadcastChange, FlowChange, SequenceChange};

use crate::analytics::FactRow;
use crate::flows::RecipientRow;
use crate::queries::types::DbId;
use crate::write::rows::Rows;
use crate::write::step::{Write, writing};
use crate::{broadcasts, flows, sequences};

pub(super) fn flow(ws: DbId, change: &FlowChange) -> Write<'_> {
    match change {
        FlowChange::InsertVersion(it) => Write::Grouped(Rows::FlowVersion(vec![(ws, it)])),
        FlowChange::DropSteps { run } => Write::Grouped(Rows::DropSteps(vec![(ws, (*run).into())])),
        FlowChange::TakeRecipient { flow, at, contact } => {
            let (flow_id, fired_at, contact_id) = ((*flow).into(), (*at).into(), (*contact).into());
            Write::Grouped(Rows::TakeRecipient(vec![RecipientRow { workspace_id: ws, flow_id, fired_at, contact_id }]))
        }
        FlowChange::Count { id, passage, at } => {
            Write::Grouped(Rows::Fact(vec![FactRow::passage(ws, *id, passage, *at)]))
        }
        FlowChange::InterruptRuns { contact, at } => {
            Write::unbatched(move |c| writing(flows::interrupt_runs(c, ws, *contact, *at)))
        }
        FlowChange::WakeCaller { run, at } => {
            Write::unbatched(move |c| writing(flows::wake_steps(c, ws, vec![(*run).into()], *at)))
        }
        FlowChange::InterruptCalled { run, at } => {
            Write::unbatched(move |c| writing(flows::interrupt_called(c, ws, vec![(*run).into()], *at)))
        }
        FlowChange::Interrupt { flow, at, due_at } => {
            Write::unbatched(move |c| writing(flows::interrupt_flow(c, ws, *flow, (*at, *due_at))))
        }
        FlowChange::MigrateRuns { flow, to, nodes, at } => {
            Write::unbatched(move |c| writing(flows::migrate_runs(c, ws, *flow, *to, nodes, *at)))
        }
        FlowChange::WakeRuns { flow, at, due_at } => {
            Write::unbatched(move |c| writing(flows::wake_runs(c, ws, *flow, (*at, *due_at))))
        }
        FlowChange::PutTriggers { flow, triggers } => {
            Write::unbatched(move |c| writing(flows::put_triggers(c, ws, *flow, triggers)))
        }
        FlowChange::PutAwaited { flow, awaited, keeps_earlier } => {
            Write::unbatched(move |c| writing(flows::put_awaited(c, ws, *flow, awaited, *keeps_earlier)))
        }
        FlowChange::PutSchedule(it) => Write::unbatched(move |c| writing(flows::put_schedule(c, ws, it))),
        FlowChange::FreezeAudience { flow, at, audience } => {
            Write::unbatched(move |c| writing(flows::freeze(c, ws, (*flow, *at), audience)))
        }
        FlowChange::DropRecipients { flow, limit } => {
            Write::unbatched(move |c| writing(flows::drop_recipients(c, ws, *flow, *limit)))
        }
        FlowChange::Delete { flow, at } => Write::unbatched(move |c| writing(flows::delete(c, ws, *flow, *at))),
    }
}

pub(super) fn sequence(ws: DbId, change: &SequenceChange) -> Write<'_> {
    match change {
        SequenceChange::ExitEnrollments { contact, reason, at } => {
            Write::unbatched(move |c| writing(sequences::exit_enrollments(c, ws, *contact, *reason, *at)))
        }
    }
}

pub(super) fn broadcast(ws: DbId, change: &BroadcastChange) -> Write<'_> {
    match change {
        BroadcastChange::Freeze { broadcast, selection, unreached, due_at, zones } => {
            let frozen = broadcasts::Frozen { selection, unreached: unreached.as_ref(), due_at: *due_at, zones };
            Write::unbatched(move |c| writing(broadcasts::freeze(c, ws, *broadcast, frozen)))
        }
        BroadcastChange::FinishRecipient { broadcast, contact, message, result } => {
            Write::Grouped(Rows::FinishRecipient(vec![(ws, (*broadcast, *contact, *message), result)]))
        }
        BroadcastChange::SettleRecipient { broadcast, contact, message, result } => {
            Write::Grouped(Rows::SettleRecipient(vec![(ws, (*broadcast, *contact, *message), result)]))
        }
        BroadcastChange::RequireOpen { broadcast, made } => {
            Write::unbatched(move |c| writing(broadcasts::require_open(c, ws, *broadcast, *made)))
        }
        BroadcastChange::Count { id, broadcast, count, amount, at } => {
            Write::Grouped(Rows::Fact(vec![FactRow::broadcast(ws, *id, (*broadcast, *count), *amount, *at)]))
        }
    }
}
