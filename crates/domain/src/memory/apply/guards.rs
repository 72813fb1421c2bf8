//! Guards. They are checked while the store is locked.

use crate::flows::Run;
use crate::ids::{InvitationId, WorkspaceId};
use crate::media::MediaUse;
use crate::memory::State;
use crate::ports::{Claim, Conflict, Counted, Guard, Object};
use crate::references::{Dependent, Referent, Referrer};
use crate::stored::StoredKind;

impl State {
    pub(in crate::memory) fn check(&self, ws: WorkspaceId, guard: &Guard) -> Result<(), Conflict> {
        match guard {
            Guard::Live(object) => self.version(ws, *object).map(|_| ()).ok_or(Conflict::Stale(*object)),
            Guard::Version(object, expected) => {
                let found = self.version(ws, *object).filter(|version| version == expected);
                found.map(|_| ()).ok_or(Conflict::Stale(*object))
            }
            Guard::Claim(claim) => self.check_claim(ws, *claim),
            Guard::Unused(target) => {
                self.check(ws, &Guard::Live(target.object()))?;
                if self.dependents(ws, *target).is_empty() { Ok(()) } else { Err(Conflict::InUse(*target)) }
            }
            Guard::Listeners(revision) => match self.listeners(ws).revision == *revision {
                true => Ok(()),
                false => Err(Conflict::ListenersChanged),
            },
            Guard::Catalog(revision) => match self.catalog(ws).revision == *revision {
                true => Ok(()),
                false => Err(Conflict::CatalogChanged),
            },
            Guard::LaneFree(lane) => {
                let mut of_lane = self.jobs.values().filter(|job| job.queued.job.columns().lane == Some(*lane));
                if of_lane.all(|job| job.dead.is_some()) { Ok(()) } else { Err(Conflict::LaneBusy) }
            }
            Guard::OwnerBeside(user) => {
                let mut members = self.members.iter().filter(|((of, _), _)| *of == ws);
                let other = members.any(|(_, it)| it.user != *user && it.role == crate::access::Role::Owner);
                if other { Ok(()) } else { Err(Conflict::LastOwner) }
            }
            Guard::Standing { user, role } => {
                let held = self.members.get(&(self.home(ws), *user)).is_some_and(|it| it.role >= *role);
                if held { Ok(()) } else { Err(Conflict::Standing) }
            }
            Guard::Room { what, adding, most } => {
                let present = i64::try_from(self.count(ws, *what)?).unwrap_or(i64::MAX);
                if present + adding <= *most { Ok(()) } else { Err(Conflict::Full { what: *what, most: *most }) }
            }
        }
    }

    /// The existing objects that refer to the target.
    pub(super) fn dependents(&self, ws: WorkspaceId, target: Referent) -> Vec<Dependent> {
        let naming =
            self.references.iter().filter(|((of, (_, named)), lost)| *of == ws && *named == target && lost.is_none());
        let named = naming.filter_map(|((_, (owner, _)), _)| match owner {
            Referrer::Flow(id) | Referrer::FlowDraft(id) => {
                Some(Dependent::new(*owner, self.flows.get(&(ws, *id))?.name.clone()))
            }
            Referrer::Sequence(id) => {
                let there = self.sequences.get(&(ws, *id)).filter(|it| it.deleted_at.is_none())?;
                Some(Dependent::new(*owner, there.name.clone()))
            }
            Referrer::Broadcast(id) => Some(Dependent::new(*owner, self.broadcasts.get(&(ws, *id))?.name.clone())),
            Referrer::Stored(id) => Some(Dependent::new(*owner, self.tables.name(ws, *id)?)),
        });
        named.take(100).collect()
    }

    pub(in crate::memory) fn check_claim(&self, ws: WorkspaceId, claim: Claim) -> Result<(), Conflict> {
        let job =
            self.jobs.get(&claim.job).filter(|job| job.workspace == ws && job.claimed && job.token == claim.token);
        job.map(|_| ()).ok_or(Conflict::ClaimLost)
    }

    fn version(&self, ws: WorkspaceId, object: Object) -> Option<i64> {
        match object {
            Object::Workspace(id) => self.workspaces.get(&id).filter(|it| it.id == ws).map(|it| it.version),
            Object::Key(id) => {
                let usable = self.keys.get(&id).filter(|key| key.workspace == ws && key.revoked_at.is_none());
                usable.map(|it| it.version)
            }
            Object::Channel(id) => self.channels.get(&(ws, id)).map(|it| it.version),
            Object::Contact(id) => {
                self.contacts.get(&(ws, id)).filter(|it| it.deleted_at.is_none()).map(|it| it.version)
            }
            Object::Conversation(id) => self.conversations.get(&(ws, id)).map(|it| it.version),
            Object::Message(id) => self.messages.get(&(ws, id)).map(|it| it.version),
            Object::Flow(id) => self.flows.get(&(ws, id)).map(|it| it.version),
            Object::Run(id) => self.runs.get(&(ws, id)).map(|it| it.version),
            Object::Broadcast(id) => self.broadcasts.get(&(ws, id)).map(|it| it.version),
            Object::BulkOperation(id) => self.bulk_operations.get(&(ws, id)).map(|it| it.version),
            Object::Import(id) => self.imports.get(&(ws, id)).map(|it| it.version),
            Object::Stored(id) => self.tables.version(ws, id),
            Object::Sequence(id) => {
                self.sequences.get(&(ws, id)).filter(|it| it.deleted_at.is_none()).map(|it| it.version)
            }
            Object::Enrollment(id) => self.enrollments.get(&(ws, id)).map(|it| it.version),
            Object::Webhook(id) => self.webhooks.get(&(ws, id)).map(|it| it.version),
            Object::Delivery(id) => self.deliveries.get(&(ws, id)).map(|it| it.version),
            Object::User(id) => self.users.get(&id).map(|it| it.version),
            Object::Member(id) => self.members.get(&(ws, id)).map(|it| it.version),
            Object::Invitation(id) => self.invitations.get(&(ws, id)).map(|_| 1),
            Object::Session(id) => self.sessions.get(&id).filter(|it| it.revoked_at.is_none()).map(|_| 1),
        }
    }

    fn count(&self, ws: WorkspaceId, what: Counted) -> Result<usize, Conflict> {
        let of = |key: &WorkspaceId| *key == ws;
        Ok(match what {
            Counted::Flows => self.flows.keys().filter(|(key, _)| of(key)).count(),
            Counted::Broadcasts => {
                self.broadcasts.iter().filter(|((key, _), it)| of(key) && !it.status.is_over()).count()
            }
            Counted::BulkOperations => {
                self.bulk_operations.iter().filter(|((key, _), it)| of(key) && !it.status.is_over()).count()
            }
            Counted::Imports => self.imports.iter().filter(|((key, _), it)| of(key) && !it.status.is_over()).count(),
            Counted::Stored(StoredKind::Media) => {
                let own = self.tables.media.iter().filter(|(_, it)| !matches!(it.used_by, MediaUse::Contact(_)));
                own.filter(|((key, _), _)| of(key)).count()
            }
            Counted::Stored(kind) => self.tables.count(ws, kind),
            Counted::Sequences => {
                self.sequences.iter().filter(|((key, _), it)| of(key) && it.deleted_at.is_none()).count()
            }
            Counted::Webhooks => self.webhooks.keys().filter(|(key, _)| of(key)).count(),
            Counted::Channels => self.channels.keys().filter(|(key, _)| of(key)).count(),
            Counted::Keys => self.keys.values().filter(|key| of(&key.workspace) && key.revoked_at.is_none()).count(),
            Counted::Members => {
                let members = self.members.keys().filter(|(key, _)| of(key)).count();
                members + self.invitations.keys().filter(|(key, _)| of(key)).count()
            }
            Counted::Invitations { since } => {
                let refused =
                    |id: &InvitationId| self.refused_invitations.get(&(ws, *id)).is_some_and(|at| *at >= since);
                let open = self.invitations.iter().filter(|((key, _), it)| of(key) && it.created_at >= since);
                let open = open.filter(|((_, id), _)| !refused(id)).count();
                open + self.refused_invitations.keys().filter(|(key, id)| of(key) && refused(id)).count()
            }
            Counted::TagsOf(contact) => {
                self.owner(ws, contact)?;
                self.links.keys().filter(|(key, (holder, _))| of(key) && *holder == contact).count()
            }
            Counted::Starts { flow, contact, since } | Counted::Refusals { flow, contact, since } => {
                self.owner(ws, contact)?;
                let refused = matches!(what, Counted::Refusals { .. });
                let runs = self.runs.iter().filter(|((key, _), run)| of(key) && run.contact == contact);
                let counted = |run: &Run| run.flow == flow && run.started_at >= since && run.is_refused() == refused;
                runs.filter(|(_, run)| counted(run)).count()
            }
        })
    }

    fn owner(&self, ws: WorkspaceId, contact: crate::ids::ContactId) -> Result<(), Conflict> {
        let found = self.contacts.get(&(ws, contact));
        found.map(|_| ()).ok_or(Conflict::Stale(Object::Contact(contact)))
    }
}
