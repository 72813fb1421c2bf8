//! Use cases of published flows: deletion, versions and statistics.

use super::status::release_held;
use super::{Flow, FlowService, FlowStatistics, FlowStatus, FlowVersion, StatisticsRequest, follow_schedule};
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::error::Error;
use crate::ids::FlowId;
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook};
use crate::pagination::{Page, PageRequest};
use crate::ports::{Change, ChangeSet, FlowChange, ReferenceChange, Row};
use crate::references::{Deletion, Referent, Referrer, in_use};
use crate::retry::{commit_outcome, retry_on_conflict};

impl FlowService {
    /// Deletes a flow: lists no longer show it, and its live runs are interrupted.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::InUse`], [`Error::Store`].
    pub async fn delete(
        &self,
        access: &Access,
        flow: FlowId,
        deletion: Deletion,
        expected: &ExpectedVersion,
    ) -> Result<(), Error> {
        retry_on_conflict(|| async {
            let flow = self.get(access, flow).await?;
            expected.check(flow.version)?;
            let at = self.ports.clock.now();
            let mut set = ChangeSet::new(access.workspace());
            deletion.prepare(&mut set, Referent::Flow(flow.id), &flow.name, at);
            for owner in [Referrer::Flow(flow.id), Referrer::FlowDraft(flow.id)] {
                set.change(Change::Reference(ReferenceChange::Put { owner, targets: Vec::new() }));
            }
            let was_active = flow.status == FlowStatus::Active;
            let over = Flow { status: FlowStatus::Archived, ..flow.clone() };
            follow_schedule(&self.ports, access, &over, (was_active, None), &mut set).await?;
            self.ports.add_audit(AuditDraft::deleted(AuditAction::FlowDeleted, &flow), access, &mut set);
            set.change(Change::Flow(FlowChange::Delete { flow: flow.id, at }));
            set.change(Change::Flow(FlowChange::Interrupt { flow: flow.id, at, due_at: at }));
            set.change(release_held(flow.id, at));
            match self.ports.ledger.commit(set).await {
                Ok(()) => Ok(()),
                Err(error) => Err(in_use(&*self.ports.references, access, error).await),
            }
        })
        .await
    }

    /// Lists the published versions of a flow. The returned flow has the number of the version that new runs use.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn versions(
        &self,
        access: &Access,
        flow: FlowId,
        page: PageRequest,
    ) -> Result<(Flow, Page<FlowVersion>), Error> {
        let flow = self.get(access, flow).await?;
        let mut versions = self.ports.flows.versions(access, flow.id, page).await?;
        for version in &mut versions.items {
            self.renamed(access, &mut version.definition, version.bindings.as_ref()).await?;
        }
        Ok((flow, versions))
    }

    /// Returns the statistics of the nodes of a flow. Simulations are not counted.
    ///
    /// # Errors
    /// [`Error::NotFound`] for the flow and the version, [`Error::Store`].
    pub async fn statistics(
        &self,
        access: &Access,
        flow: FlowId,
        request: StatisticsRequest,
    ) -> Result<FlowStatistics, Error> {
        let request = request.aligned();
        let flow = self.get(access, flow).await?;
        if let Some(number) = request.version {
            self.ports.flows.compiled(access, flow.id, number).await?.ok_or(Error::Missing("version"))?;
        }
        let now = self.ports.clock.now();
        // Read the clock first: facts recorded from here on are newer than `now`.
        let oldest = self.ports.analytics.oldest_fact(access).await?;
        let tallies = self.ports.flows.node_counts(access, flow.id, request).await?;
        let waiting = self.ports.flows.waiting_at(access, flow.id, request.version).await?;
        let as_of = oldest.map_or(now, |oldest| oldest.min(now));
        Ok(FlowStatistics::of(flow.id, request, tallies, waiting, as_of))
    }

    /// Copies an earlier version into the draft. It is not published.
    ///
    /// # Errors
    /// [`Error::NotFound`] for the flow and the version, [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn restore(
        &self,
        access: &Access,
        flow: FlowId,
        number: i64,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, Flow>,
    ) -> Result<Done<Flow>, Error> {
        retry_on_conflict(|| async {
            let mut flow = self.get(access, flow).await?;
            expected.check(flow.version)?;
            let found = self.ports.flows.version(access, flow.id, number).await?;
            let mut version = found.ok_or(Error::Missing("version"))?;
            self.renamed(access, &mut version.definition, version.bindings.as_ref()).await?;
            let mut set = ChangeSet::new(access.workspace());
            let done = if flow.definition == version.definition {
                Done::unchanged(flow)
            } else {
                let drafts = (Some(&flow.definition), &version.definition);
                self.note_draft(access, flow.id, drafts, &mut set).await?;
                let draft = AuditDraft::done(AuditAction::FlowRestored, &flow).with("version_restored", &number);
                self.ports.add_audit(draft.withholding("definition"), access, &mut set);
                flow.definition = version.definition;
                flow.bindings = version.bindings;
                flow.has_unpublished_changes = true;
                flow.version += 1;
                flow.updated_at = self.ports.clock.now().max(flow.updated_at);
                set.change(Change::Update(Row::Flow(flow.clone())));
                Done::changed(flow)
            };
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }
}
