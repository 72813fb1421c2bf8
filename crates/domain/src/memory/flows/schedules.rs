//! Schedules of flows, and the recipients of each firing.

use crate::conditions::Selection;
use crate::flows::FlowSchedule;
use crate::ids::{ContactId, FlowId, WorkspaceId};
use crate::memory::State;
use crate::ports::{Conflict, Object};
use crate::time::Timestamp;

use crate::memory::apply::{Applied, referenced};

impl State {
    pub(super) fn put_schedule(&mut self, ws: WorkspaceId, it: FlowSchedule) -> Applied {
        referenced(self.flows.contains_key(&(ws, it.flow)))?;
        let planned = self.schedules.get(&(ws, it.flow)).map_or(0, |stored| stored.visit);
        if planned + 1 != it.visit {
            return Err(Conflict::Stale(Object::Flow(it.flow)).into());
        }
        self.schedules.insert((ws, it.flow), it);
        Ok(())
    }

    pub(super) fn freeze(&mut self, ws: WorkspaceId, (flow, at): (FlowId, Timestamp), audience: &Selection) -> Applied {
        let living = self.contacts.iter().filter(|((of, _), it)| *of == ws && it.deleted_at.is_none());
        let chosen = living.filter(|(_, it)| self.chooses(ws, audience, it));
        let chosen: Vec<ContactId> = chosen.map(|((_, id), _)| *id).collect();
        self.flow_recipients.extend(chosen.into_iter().map(|contact| (ws, flow, at, contact)));
        Ok(())
    }

    pub(super) fn take_recipient(
        &mut self,
        ws: WorkspaceId,
        (flow, at, contact): (FlowId, Timestamp, ContactId),
    ) -> Applied {
        match self.flow_recipients.remove(&(ws, flow, at, contact)) {
            true => Ok(()),
            false => Err(Conflict::ClaimLost.into()),
        }
    }

    pub(super) fn drop_recipients(&mut self, ws: WorkspaceId, flow: FlowId, limit: u32) -> Applied {
        for (at, contact) in self.recipients_of(ws, flow, limit) {
            self.flow_recipients.remove(&(ws, flow, at, contact));
        }
        Ok(())
    }

    /// The recipients of a flow, sorted by firing, the earliest first.
    pub(super) fn recipients_of(&self, ws: WorkspaceId, flow: FlowId, limit: u32) -> Vec<(Timestamp, ContactId)> {
        let of_flow = self.flow_recipients.iter().filter(|(of, it, ..)| *of == ws && *it == flow);
        of_flow.take(limit as usize).map(|(_, _, at, contact)| (*at, *contact)).collect()
    }
}
