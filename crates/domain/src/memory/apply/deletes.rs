//! Deletion of rows.

use std::collections::BTreeMap;

use crate::ids::{ChannelId, ContactId, FlowId, JobId, TypedId, WorkspaceId};
use crate::memory::State;
use crate::memory::apply::{Applied, delete};
use crate::ports::{Conflict, Object, StoreError};
use crate::stored::{StoredId, StoredKind};

fn any<K, T>(rows: &BTreeMap<(WorkspaceId, K), T>, ws: WorkspaceId, is: impl Fn(&K, &T) -> bool) -> bool {
    rows.iter().any(|((of, key), row)| *of == ws && is(key, row))
}

impl State {
    /// Deletes the row of an object and nothing else. As in the databases, an object with references to it cannot be
    /// deleted. Rows that are marked as deleted, revoked or ended count as references, too. Deleted flows have no row
    /// here.
    pub(super) fn delete_row(&mut self, ws: WorkspaceId, object: Object) -> Applied {
        self.take_row(ws, object)?;
        match self.referring(ws, object) {
            None => Ok(()),
            Some(what) => {
                Err(StoreError::Corrupt(format!("{what} still refer to {object:?}, which cannot be deleted")).into())
            }
        }
    }

    fn take_row(&mut self, ws: WorkspaceId, object: Object) -> Applied {
        let stale = || Err(Conflict::Stale(object).into());
        match object {
            Object::Workspace(id) if id != ws => stale(),
            Object::Workspace(id) => delete(&mut self.workspaces, &id, object),
            Object::Key(id) if self.keys.get(&id).is_some_and(|it| it.workspace != ws) => stale(),
            Object::Key(id) => delete(&mut self.keys, &id, object),
            Object::User(id) => delete(&mut self.users, &id, object),
            Object::Session(id) => delete(&mut self.sessions, &id, object),
            Object::Member(id) => delete(&mut self.members, &(ws, id), object),
            Object::Invitation(id) => delete(&mut self.invitations, &(ws, id), object),
            Object::Channel(id) if self.gone_channels.remove(&(ws, id)) => Ok(()),
            Object::Channel(id) => delete(&mut self.channels, &(ws, id), object),
            Object::Contact(id) => delete(&mut self.contacts, &(ws, id), object),
            Object::Conversation(id) => delete(&mut self.conversations, &(ws, id), object),
            Object::Message(id) => delete(&mut self.messages, &(ws, id), object),
            Object::Flow(id) => delete(&mut self.flows, &(ws, id), object),
            Object::Run(id) => delete(&mut self.runs, &(ws, id), object),
            Object::Broadcast(id) => delete(&mut self.broadcasts, &(ws, id), object),
            Object::BulkOperation(id) => delete(&mut self.bulk_operations, &(ws, id), object),
            Object::Import(id) => delete(&mut self.imports, &(ws, id), object),
            Object::Stored(id) => {
                if let StoredId::Segment(id) = id {
                    self.segment_counts.remove(&(ws, id));
                    self.segment_refreshes.remove(&(ws, id));
                }
                self.tables.delete(ws, id)
            }
            Object::Sequence(id) => delete(&mut self.sequences, &(ws, id), object),
            Object::Enrollment(id) => delete(&mut self.enrollments, &(ws, id), object),
            Object::Webhook(id) => delete(&mut self.webhooks, &(ws, id), object),
            Object::Delivery(id) => {
                delete(&mut self.deliveries, &(ws, id), object)?;
                // The delivery also has a queued job.
                self.jobs.remove(&JobId::from_uuid(id.uuid()));
                Ok(())
            }
        }
    }

    /// The rows that refer to an object by a foreign key.
    fn referring(&self, ws: WorkspaceId, object: Object) -> Option<&'static str> {
        match object {
            Object::Workspace(_) => self.part_of(ws),
            Object::User(id) => {
                let member = self.members.values().any(|it| it.user == id).then_some("members");
                member.or(self.sessions.values().any(|it| it.user == id).then_some("sessions"))
            }
            Object::Session(id) => self.refresh_tokens.values().any(|it| it.session == id).then_some("refresh tokens"),
            Object::Channel(id) => self.referring_to_channel(ws, id),
            Object::Contact(id) => self.referring_to_contact(ws, id),
            Object::Conversation(id) => {
                any(&self.messages, ws, |_, it| it.conversation == Some(id)).then_some("messages")
            }
            Object::Flow(id) => self.referring_to_flow(ws, id),
            Object::Sequence(id) => any(&self.enrollments, ws, |_, it| it.sequence == id).then_some("enrollments"),
            Object::Delivery(id) => any(&self.attempts, ws, |_, it| it.delivery == id).then_some("attempts"),
            Object::Key(_)
            | Object::Member(_)
            | Object::Invitation(_)
            | Object::Message(_)
            | Object::Run(_)
            | Object::Broadcast(_)
            | Object::BulkOperation(_)
            | Object::Import(_)
            | Object::Stored(_)
            | Object::Enrollment(_)
            | Object::Webhook(_) => None,
        }
    }

    fn referring_to_channel(&self, ws: WorkspaceId, id: ChannelId) -> Option<&'static str> {
        let reached = |all: &[(crate::contacts::Identity, bool)]| all.iter().any(|(it, _)| it.channel == id);
        first([
            (any(&self.identities, ws, |_, all| reached(all)), "identities"),
            (any(&self.conversations, ws, |_, it| it.channel == id), "conversations"),
            (any(&self.opt_outs, ws, |_, on| *on == Some(id)), "opt-outs"),
        ])
    }

    fn referring_to_contact(&self, ws: WorkspaceId, id: ContactId) -> Option<&'static str> {
        first([
            (any(&self.identities, ws, |of, all| *of == id && !all.is_empty()), "identities"),
            (any(&self.links, ws, |(of, _), _| *of == id), "tags"),
            (any(&self.values, ws, |(of, _), _| *of == id), "values"),
            (any(&self.conversations, ws, |_, it| it.contact == id), "conversations"),
            (any(&self.runs, ws, |_, it| it.contact == id), "runs"),
            (any(&self.enrollments, ws, |_, it| it.contact == id), "enrollments"),
            (any(&self.custom_events, ws, |_, it| it.contact == id), "custom events"),
            (any(&self.erasures, ws, |of, _| *of == id), "erasures"),
            (any(&self.merges, ws, |of, it| *of == id || it.into == id), "merges"),
        ])
    }

    fn referring_to_flow(&self, ws: WorkspaceId, id: FlowId) -> Option<&'static str> {
        first([
            (any(&self.versions, ws, |(of, _), _| *of == id), "versions"),
            (any(&self.triggers, ws, |of, all| *of == id && !all.is_empty()), "triggers"),
            (any(&self.awaited, ws, |of, all| *of == id && !all.is_empty()), "awaited events"),
            (any(&self.schedules, ws, |of, _| *of == id), "schedules"),
        ])
    }

    /// The rows that require the row of their workspace.
    fn part_of(&self, ws: WorkspaceId) -> Option<&'static str> {
        first([
            (any(&self.channels, ws, |_, _| true), "channels"),
            (self.gone_channels.iter().any(|(of, _)| *of == ws), "deleted channels"),
            (self.keys.values().any(|it| it.workspace == ws), "keys"),
            (any(&self.members, ws, |_, _| true), "members"),
            (any(&self.invitations, ws, |_, _| true), "invitations"),
            (StoredKind::ALL.iter().any(|kind| self.tables.count(ws, *kind) > 0), "simple objects"),
            (any(&self.flows, ws, |_, _| true), "flows"),
            (any(&self.sequences, ws, |_, _| true), "sequences"),
            (any(&self.broadcasts, ws, |_, _| true), "broadcasts"),
            (any(&self.bulk_operations, ws, |_, _| true), "bulk operations"),
            (any(&self.imports, ws, |_, _| true), "imports"),
            (any(&self.webhooks, ws, |_, _| true), "webhooks"),
            (any(&self.references, ws, |_, _| true), "references"),
            (any(&self.positions, ws, |_, _| true), "positions of events"),
            (self.opt_out_keys.contains_key(&ws), "keys of opt-outs"),
            (self.sandboxes.contains_key(&ws), "clocks"),
            (self.workspaces.values().any(|it| it.live_workspace == Some(ws)), "sandboxes"),
        ])
    }
}

fn first<const N: usize>(all: [(bool, &'static str); N]) -> Option<&'static str> {
    all.into_iter().find(|(refers, _)| *refers).map(|(_, what)| what)
}
