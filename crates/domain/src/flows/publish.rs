//! Publishing: the draft of a flow becomes its next version.

use serde_json::Value;

use super::{Definition, Flow, FlowService, FlowStatus, FlowVersion, InFlight, follow_schedule};
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::error::Error;
use crate::ids::FlowId;
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook};
use crate::ports::{Change, ChangeSet, FlowChange, Guard, Object, ReferenceChange, Row};
use crate::references::Referrer;
use crate::retry::{commit_outcome, retry_on_conflict};
use crate::stored::StoredId;

impl FlowService {
    /// Publishes the draft as the next version. An already published draft is unchanged, unless its names mean other
    /// objects now.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Invalid`] with all violations of the draft, [`Error::PreconditionFailed`],
    /// [`Error::Store`].
    pub async fn publish(
        &self,
        access: &Access,
        flow: FlowId,
        running: InFlight,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, Flow>,
    ) -> Result<Done<Flow>, Error> {
        retry_on_conflict(|| async {
            let flow = self.get(access, flow).await?;
            expected.check(flow.version)?;
            let lost = self.lost_words(access, &flow.definition, flow.bindings.as_ref()).await?;
            let analysis = self.analysis(access, &flow.definition, Some(flow.id)).await?;
            if !lost.is_empty() {
                let lost = lost.into_iter().map(|violation| violation.under("/definition"));
                return Err(Error::Invalid(lost.chain(analysis.violations("/definition")).collect()).into());
            }
            let violations = analysis.violations("/definition");
            let Some(definition) = analysis.definition else { return Err(Error::Invalid(violations).into()) };

            // The names of an unchanged draft may mean other objects than when it was published.
            let published = match flow.version_published.filter(|_| !flow.has_unpublished_changes) {
                Some(number) => self.ports.flows.version(access, flow.id, number).await?,
                None => None,
            };
            let mut set = ChangeSet::new(access.workspace());
            let bindings = self.bound(access, &flow.definition).await?;
            let means_same = |published: FlowVersion| match &published.bindings {
                Some(published) => *published == bindings,
                None => published.tags == analysis.tags,
            };
            let done = if !published.is_some_and(means_same) {
                let now = self.ports.clock.now().max(flow.updated_at);
                let mut targets = analysis.uses;
                if flow.version_published.is_some() {
                    targets.extend(self.earlier_files(access, flow.id).await?);
                }
                let targets = targets.into_iter().collect();
                set.change(Change::Reference(ReferenceChange::Put { owner: Referrer::Flow(flow.id), targets }));
                let version = FlowVersion {
                    flow: flow.id,
                    number: flow.version_published.unwrap_or(0) + 1,
                    definition: flow.definition.clone(),
                    tags: analysis.tags,
                    bindings: Some(bindings.clone()),
                    created_at: now,
                };
                let mut flow = flow;
                flow.bindings = Some(bindings);
                let was_active = flow.status == FlowStatus::Active;
                let before = flow.clone();
                let flow = release(flow, version, &definition, running, &mut set);
                self.ports.add_audit(AuditDraft::changed(AuditAction::FlowPublished, &before, &flow), access, &mut set);
                follow_schedule(&self.ports, access, &flow, (was_active, Some(&definition)), &mut set).await?;
                Done::changed(flow)
            } else {
                Done::unchanged(flow)
            };
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }
}

/// Makes a version the one that new runs use, and treats live runs as requested.
fn release(
    mut flow: Flow,
    version: FlowVersion,
    definition: &Definition,
    running: InFlight,
    set: &mut ChangeSet,
) -> Flow {
    let (id, now, number) = (flow.id, version.created_at, version.number);
    flow.version_published = Some(number);
    flow.has_unpublished_changes = false;
    flow.status = if flow.status == FlowStatus::Paused { FlowStatus::Paused } else { FlowStatus::Active };
    flow.version += 1;
    flow.updated_at = now;
    for tag in version.tags.values() {
        set.guard(Guard::Live(Object::Stored(StoredId::Tag(*tag))));
    }
    let triggers = flow.definition.get("triggers").and_then(Value::as_array).cloned().unwrap_or_default();
    set.change(Change::Update(Row::Flow(flow.clone())));
    set.change(Change::Flow(FlowChange::InsertVersion(version)));
    set.change(Change::Flow(FlowChange::PutTriggers { flow: id, triggers }));
    let awaited: Vec<_> = definition.awaited().into_iter().collect();
    let keeps_earlier = running != InFlight::Cancel;
    // A first version that waits for no events has no earlier events to replace.
    if !awaited.is_empty() || (number > 1 && !keeps_earlier) {
        set.change(Change::Flow(FlowChange::PutAwaited { flow: id, awaited, keeps_earlier }));
    }
    match running {
        InFlight::Pin => {}
        InFlight::Migrate => {
            let nodes = definition.nodes.keys().cloned().collect();
            set.change(Change::Flow(FlowChange::MigrateRuns { flow: id, to: number, nodes, at: now }));
        }
        InFlight::Cancel => {
            set.change(Change::Flow(FlowChange::Interrupt { flow: id, at: now, due_at: now }));
            flow.stats.interrupted += flow.stats.active + flow.stats.waiting;
            (flow.stats.active, flow.stats.waiting) = (0, 0);
        }
    }
    flow
}
