//! Use cases of flows.

use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;

use super::analyse::{analyse, tag_words};
use super::{Flow, FlowPatch, FlowStatus, FlowVersion, NewFlow, Run, RunStatus, RunView, StartFlow};
use crate::access::Access;
use crate::contacts::ContactRef;
use crate::error::Error;
use crate::events::{EventDraft, EventKind};
use crate::ids::{FlowId, JobId, RunId, TypedId};
use crate::outcome::{Done, Expected, Keep, kept};
use crate::pagination::{Page, PageRequest};
use crate::ports::{
    Change, ChangeSet, Clock, CommitError, Conflict, ContactQueries, Counted, FlowQueries, Guard, Ids, Ledger, NewJob,
    Object, TagQueries,
};
use crate::references::{Referent, Referrer};
use crate::settle::{Setback, settle};
use crate::text::fold;

/// How many flows a workspace has at the most.
const MAX_FLOWS: i64 = 1_000;
/// How often a contact is started in one flow within [`START_WINDOW`].
const MAX_STARTS: i64 = 10;
/// The window of [`MAX_STARTS`].
const START_WINDOW: Duration = Duration::from_secs(3_600);

/// Use cases of flows.
#[derive(Clone)]
#[allow(missing_docs, reason = "the ports that it needs")]
pub struct FlowService {
    pub flows: Arc<dyn FlowQueries>,
    pub tags: Arc<dyn TagQueries>,
    pub contacts: Arc<dyn ContactQueries>,
    pub ledger: Arc<dyn Ledger>,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
}

impl FlowService {
    /// A flow.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn get(&self, access: &Access, flow: FlowId) -> Result<Flow, Error> {
        self.flows.get(access, flow).await?.ok_or(Error::NotFound)
    }

    /// The flows of the workspace.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list(&self, access: &Access, page: PageRequest) -> Result<Page<Flow>, Error> {
        Ok(self.flows.list(access, page).await?)
    }

    /// A run.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn run(&self, access: &Access, run: RunId) -> Result<Run, Error> {
        self.flows.run(access, run).await?.ok_or(Error::NotFound)
    }

    /// Makes a flow; its draft is checked when it is published.
    ///
    /// # Errors
    /// [`Error::Full`], [`Error::Store`].
    pub async fn create(&self, access: &Access, command: NewFlow, keep: Keep<'_, Flow>) -> Result<Done<Flow>, Error> {
        let now = self.clock.now();
        let flow = Flow {
            id: FlowId::from_uuid(self.ids.next()),
            name: command.name.trim().to_owned(),
            status: FlowStatus::Draft,
            version_published: None,
            has_unpublished_changes: true,
            definition: command.definition,
            created_at: now,
            updated_at: now,
            version: 1,
        };
        let done = Done::created(flow.clone());
        let mut set = ChangeSet::new(access.workspace());
        set.guard(Guard::Room { what: Counted::Flows, adding: 1, most: MAX_FLOWS });
        set.change(Change::InsertFlow(flow));
        set.idempotency = kept(keep, &done);
        self.ledger.commit(set).await?;
        Ok(done)
    }

    /// Edits the draft; the published version stays as it is.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn update(
        &self,
        access: &Access,
        flow: FlowId,
        patch: FlowPatch,
        expected: &Expected,
    ) -> Result<Flow, Error> {
        settle(|| async {
            let before = self.get(access, flow).await?;
            expected.check(before.version)?;
            let mut after = before.clone();
            after.name = patch.name.as_deref().map_or(after.name, |name| name.trim().to_owned());
            after.definition = patch.definition.clone().unwrap_or(after.definition);
            if after.definition != before.definition {
                after.has_unpublished_changes = true;
            }
            if after == before {
                return Ok(before);
            }
            after.version += 1;
            after.updated_at = self.clock.now().max(before.updated_at);
            let mut set = ChangeSet::new(access.workspace());
            set.change(Change::UpdateFlow(after.clone()));
            self.ledger.commit(set).await?;
            Ok(after)
        })
        .await
    }

    /// Publishes the draft as the next version; runs in flight finish on theirs. A draft that is
    /// published already is left as it is, unless its words mean other tags by now.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Invalid`] with everything that is wrong with the draft,
    /// [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn publish(
        &self,
        access: &Access,
        flow: FlowId,
        expected: &Expected,
        keep: Keep<'_, Flow>,
    ) -> Result<Done<Flow>, Error> {
        settle(|| async {
            let mut flow = self.get(access, flow).await?;
            expected.check(flow.version)?;
            let words = tag_words(&flow.definition);
            let ids: Vec<_> = words.iter().filter_map(|word| word.parse().ok()).collect();
            let names: Vec<_> = words.iter().map(|word| fold(word)).collect();
            let mut known = if names.is_empty() { vec![] } else { self.tags.by_name_keys(access, &names).await? };
            known.extend(if ids.is_empty() { vec![] } else { self.tags.by_ids(access, &ids).await? });
            if known.len() < words.len() {
                // Some word may mean no tag: the newest ones are what its author may have meant.
                known.extend(self.tags.list(access, PageRequest { limit: 100, ..PageRequest::default() }).await?.items);
            }
            let (_, tags) = analyse(&flow.definition, &known).map_err(Error::Invalid)?;

            // A tag that was deleted and made anew is another tag, though the draft's word is the same.
            let published = match flow.version_published.filter(|_| !flow.has_unpublished_changes) {
                Some(number) => self.flows.version(access, flow.id, number).await?,
                None => None,
            };
            let mut set = ChangeSet::new(access.workspace());
            let done = if published.is_none_or(|published| published.tags != tags) {
                let now = self.clock.now();
                let number = flow.version_published.unwrap_or(0) + 1;
                flow.version_published = Some(number);
                flow.has_unpublished_changes = false;
                flow.status = FlowStatus::Active;
                flow.version += 1;
                flow.updated_at = now.max(flow.updated_at);
                for tag in tags.values() {
                    set.guard(Guard::Live(Object::Tag(*tag)));
                }
                set.change(Change::UpdateFlow(flow.clone()));
                let targets = tags.values().copied().map(Referent::Tag).collect();
                set.change(Change::PutReferences { owner: Referrer::Flow(flow.id), targets });
                let definition = flow.definition.clone();
                set.change(Change::InsertFlowVersion(FlowVersion {
                    flow: flow.id,
                    number,
                    definition,
                    tags,
                    created_at: now,
                }));
                Done::changed(flow)
            } else {
                Done::unchanged(flow)
            };
            set.idempotency = kept(keep, &done);
            if !set.is_empty() {
                self.ledger.commit(set).await?;
            }
            Ok(done)
        })
        .await
    }

    /// Starts a flow for a contact; while a run of it lives, that run is the answer.
    ///
    /// # Errors
    /// [`Error::NotFound`] for the contact, [`Error::Invalid`] for an unknown flow,
    /// [`Error::FlowNotActive`], [`Error::StartLimit`], [`Error::Store`].
    pub async fn start(
        &self,
        access: &Access,
        contact: &ContactRef,
        command: StartFlow,
        keep: Keep<'_, Run>,
    ) -> Result<Done<Run>, Error> {
        settle(|| self.try_start(access, contact, &command, keep)).await
    }

    async fn try_start(
        &self,
        access: &Access,
        contact: &ContactRef,
        command: &StartFlow,
        keep: Keep<'_, Run>,
    ) -> Result<Done<Run>, Setback> {
        let contact = self.contacts.find(access, contact).await?.ok_or(Error::NotFound)?;
        let unknown = || Error::invalid("/flow_id", "unknown_flow", "no flow of the workspace has this id");
        let flow = self.flows.get(access, command.flow).await?.ok_or_else(unknown)?;
        let Some(number) = flow.version_published.filter(|_| flow.status == FlowStatus::Active) else {
            return Err(Error::FlowNotActive.into());
        };
        let mut set = ChangeSet::new(access.workspace());
        if let Some(live) = self.flows.live_run(access, flow.id, contact.id).await? {
            let done = Done::unchanged(live);
            set.idempotency = kept(keep, &done);
            if !set.is_empty() {
                self.ledger.commit(set).await?;
            }
            return Ok(done);
        }
        let now = self.clock.now();
        let run = Run {
            id: RunId::from_uuid(self.ids.next()),
            flow: flow.id,
            flow_version: number,
            contact: contact.id,
            slot: Uuid::nil(),
            status: RunStatus::Active,
            node: None,
            vars: command.vars.clone(),
            trace: Vec::new(),
            wait: None,
            visit: 0,
            nodes_visited: 0,
            started_by: access.actor().clone(),
            started_at: now,
            ended_at: None,
            error: None,
            updated_at: now,
            version: 1,
        };
        let since = now.minus(START_WINDOW);
        let starts = Counted::Starts { flow: flow.id, contact: contact.id, since };
        set.guard(Guard::Live(Object::Contact(contact.id)));
        set.guard(Guard::Version(Object::Flow(flow.id), flow.version));
        set.guard(Guard::Room { what: starts, adding: 1, most: MAX_STARTS });
        set.change(Change::InsertRun(Box::new(run.clone())));
        set.jobs.push(NewJob::step_run(JobId::from_uuid(self.ids.next()), run.id, run.visit, now));
        let event = EventDraft::new(EventKind::FlowStarted, &RunView::from(&run)).about(contact.id);
        set.tell(event, access, &*self.clock, &*self.ids);
        let done = Done::accepted(run);
        set.idempotency = kept(keep, &done);
        match self.ledger.commit(set).await {
            Ok(()) => Ok(done),
            Err(CommitError::Conflict(Conflict::Full { .. })) => {
                let starts = self.flows.recent_starts(access, flow.id, contact.id, MAX_STARTS as u32).await?;
                let oldest = starts.last().copied().unwrap_or(now);
                let retry_after = oldest.plus(START_WINDOW).since(now).max(Duration::from_secs(1));
                Err(Error::StartLimit { retry_after }.into())
            }
            Err(error) => Err(error.into()),
        }
    }
}
