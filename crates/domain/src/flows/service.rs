//! Use cases of flows: drafts.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::analyse::{Analysis, analyse, misuses_secrets, named, needs_note};
use super::schedule::is_whole;
use super::status::change_status;
use super::{
    CompetingTrigger, CompiledFlow, Definition, Flow, FlowPatch, FlowStatus, KnownObjects, NewFlow, ReachableFlows,
    follow_schedule,
};
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::conversations::existing_files;
use crate::error::Error;
use crate::ids::{FlowId, TagId, TypedId};
use crate::list_filter::{FilterFields, ListFilter};
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook, record_of};
use crate::pagination::{Page, PageRequest, Position, page_of};
use crate::ports::{Change, ChangeSet, Counted, Guard, Ports, Row};
use crate::references::{LostReference, Referrer};
use crate::retry::{AttemptError, commit_new, commit_outcome, retry_on_conflict};
use crate::sequences::FlowEnrollments;
use crate::text::fold;

const MAX_FLOWS: i64 = 1_000;
/// Maximum number of members that are looked up for one definition: the maximum of a workspace.
const MAX_MEMBERS: usize = 200;

/// Use cases of flows.
#[derive(Clone)]
pub struct FlowService {
    /// Access to storage and other services.
    pub ports: Arc<Ports>,
}

impl FlowService {
    /// Returns a flow, with the counts of its runs.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn get(&self, access: &Access, flow: FlowId) -> Result<Flow, Error> {
        let mut flow = self.ports.flows.get(access, flow).await?.ok_or(Error::NotFound)?;
        self.renamed(access, &mut flow.definition, flow.bindings.as_ref()).await?;
        flow.stats = self.ports.flows.stats(access, flow.id).await?;
        Ok(flow)
    }

    /// Returns the deleted objects that the published version or the draft of a flow names. The list is empty once the
    /// draft is saved and published without them.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn lost_references(&self, access: &Access, flow: &Flow) -> Result<Vec<LostReference>, Error> {
        let mut lost = self.ports.references.lost_references(access, Referrer::Flow(flow.id)).await?;
        lost.extend(self.lost_of_published(access, flow).await?);
        lost.extend(self.lost_of_draft(access, flow).await?);
        let mut told: Vec<LostReference> = Vec::new();
        for it in lost {
            let is_same = |other: &LostReference| match (other.target, it.target) {
                (Some(one), Some(other)) => one == other,
                (None, None) => (other.kind, &other.name) == (it.kind, &it.name),
                (Some(_), None) | (None, Some(_)) => false,
            };
            if !told.iter().any(is_same) {
                told.push(it);
            }
        }
        Ok(told)
    }

    /// Lists the flows of the workspace, without the counts of their runs.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list(
        &self,
        access: &Access,
        filter: &ListFilter<FlowStatus>,
        page: PageRequest,
    ) -> Result<Page<Flow>, Error> {
        Ok(self.ports.flows.list(access, filter, page).await?)
    }

    /// Lists the flows with a published version that uses a secret in any other way than as an entire output,
    /// `{{ secrets.x }}`: their HTTP requests fail with `secret_not_bare`.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list_secret_misuses(
        &self,
        access: &Access,
        filter: &ListFilter<FlowStatus>,
        page: PageRequest,
    ) -> Result<Page<Flow>, Error> {
        let mut flows = Vec::new();
        for version in self.ports.flows.published_with_secrets(access).await? {
            if misuses_secrets(&version.definition) {
                flows.extend(self.ports.flows.get(access, version.flow).await?);
            }
        }
        flows.retain(|flow| filter.admits(&FilterFields::named(&flow.name, Some(flow.status))));
        Ok(page_of(flows, page, |flow| Position { at: flow.created_at, id: flow.id.uuid() }))
    }

    /// Creates a flow. Its draft is checked when it is published.
    ///
    /// # Errors
    /// [`Error::Full`], [`Error::Store`].
    pub async fn create(
        &self,
        access: &Access,
        command: NewFlow,
        idempotency: IdempotencyHook<'_, Flow>,
    ) -> Result<Done<Flow>, Error> {
        let now = self.ports.clock.now();
        let mut definition = command.definition;
        let bindings = self.bound(access, &definition).await?;
        self.renamed(access, &mut definition, Some(&bindings)).await?;
        let id = FlowId::from_uuid(self.ports.ids.next());
        let flow = Flow { bindings: Some(bindings), ..Flow::draft(id, command.name.trim(), definition, now) };
        let done = Done::created(flow.clone());
        let mut set = ChangeSet::new(access.workspace());
        set.guard(Guard::Room { what: Counted::Flows, adding: 1, most: MAX_FLOWS });
        self.ports.add_audit(AuditDraft::created(AuditAction::FlowCreated, &flow), access, &mut set);
        set.change(Change::Insert(Row::Flow(flow)));
        set.idempotency = record_of(idempotency, &done);
        if !needs_note(&done.value.definition) {
            commit_new(&*self.ports.ledger, set).await?;
            return Ok(done);
        }
        retry_on_conflict(|| async {
            let mut set = set.clone();
            self.note_draft(access, done.value.id, (None, &done.value.definition), &mut set).await?;
            Ok(self.ports.ledger.commit(set).await?)
        })
        .await?;
        Ok(done)
    }

    /// Updates the draft, or pauses, resumes or archives the flow. The published version does not change.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Invalid`] for a status that the flow cannot have
    /// now, [`Error::Store`].
    pub async fn update(
        &self,
        access: &Access,
        flow: FlowId,
        patch: FlowPatch,
        expected: &ExpectedVersion,
    ) -> Result<Flow, Error> {
        self.edit(access, flow, &patch, expected, None).await.map(|done| done.value)
    }

    /// Pauses, resumes or archives a flow, as [`update`](Self::update) does.
    ///
    /// # Errors
    /// See [`update`](Self::update).
    pub async fn change_status(
        &self,
        access: &Access,
        flow: FlowId,
        status: FlowStatus,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, Flow>,
    ) -> Result<Done<Flow>, Error> {
        let patch = FlowPatch { status: Some(status), ..FlowPatch::default() };
        self.edit(access, flow, &patch, expected, idempotency).await
    }

    async fn edit(
        &self,
        access: &Access,
        flow: FlowId,
        patch: &FlowPatch,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, Flow>,
    ) -> Result<Done<Flow>, Error> {
        retry_on_conflict(|| async {
            let before = self.get(access, flow).await?;
            expected.check(before.version)?;
            let mut after = before.clone();
            after.name = patch.name.as_deref().map_or(after.name, |name| name.trim().to_owned());
            if let Some(definition) = &patch.definition {
                after.bindings = Some(self.bound(access, definition).await?);
                after.definition = definition.clone();
                self.renamed(access, &mut after.definition, after.bindings.as_ref()).await?;
            }
            if (&after.definition, &after.bindings) != (&before.definition, &before.bindings) {
                after.has_unpublished_changes = true;
            }
            let now = self.ports.clock.now().max(before.updated_at);
            let mut set = ChangeSet::new(access.workspace());
            if let Some(status) = patch.status {
                change_status(&mut after, status, now, &mut set)?;
            }
            let done = if after == before {
                // Nothing is written, so no guard is needed.
                set.guards.clear();
                Done::unchanged(before)
            } else {
                after.version += 1;
                after.updated_at = now;
                set.changes.insert(0, Change::Update(Row::Flow(after.clone())));
                let action = match after.status == before.status {
                    true => AuditAction::FlowUpdated,
                    false => AuditAction::FlowStatusChanged,
                };
                self.ports.add_audit(AuditDraft::changed(action, &before, &after), access, &mut set);
                if after.status != before.status {
                    let version = self.published(access, &after).await?;
                    if after.status == FlowStatus::Active
                        && let Some(version) = &version
                        && !is_whole(&self.ports, access, version).await?
                    {
                        let message =
                            "the audience of a schedule refers to a deleted object; publish a new version first";
                        return Err(Error::invalid("/status", "lost_reference", message).into());
                    }
                    let definition = version.as_ref().map(|version| &version.definition);
                    let was_active = before.status == FlowStatus::Active;
                    follow_schedule(&self.ports, access, &after, (was_active, definition), &mut set).await?;
                }
                if after.definition != before.definition {
                    let drafts = (Some(&before.definition), &after.definition);
                    self.note_draft(access, after.id, drafts, &mut set).await?;
                }
                Done::changed(after)
            };
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Returns the version that new runs of a flow use.
    async fn published(&self, access: &Access, flow: &Flow) -> Result<Option<Arc<CompiledFlow>>, AttemptError> {
        let Some(number) = flow.version_published else { return Ok(None) };
        Ok(self.ports.flows.compiled(access, flow.id, number).await?)
    }

    /// Checks a definition and returns all violations and warnings; stores nothing. `own` is the flow that the
    /// definition is for, if any: conflicts with other flows are reported, conflicts with its own published version
    /// are not.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the flow does not exist, [`Error::Store`].
    pub async fn validate(&self, access: &Access, definition: &Value, own: Option<FlowId>) -> Result<Analysis, Error> {
        if let Some(own) = own
            && self.ports.flows.present(access, &[own]).await?.is_empty()
        {
            return Err(Error::invalid("/flow_id", "unknown_flow", "no flow in this workspace has this ID"));
        }
        retry_on_conflict(|| self.analysis(access, definition, own)).await
    }

    pub(super) async fn analysis(
        &self,
        access: &Access,
        definition: &Value,
        own: Option<FlowId>,
    ) -> Result<Analysis, AttemptError> {
        let names = named(definition);
        let ids: Vec<TagId> = names.tags.iter().filter_map(|word| word.parse().ok()).collect();
        let keys: Vec<String> = names.tags.iter().map(|word| fold(word)).collect();
        let mut tags = if keys.is_empty() { vec![] } else { self.ports.tags.by_name_keys(access, &keys).await? };
        tags.extend(if ids.is_empty() { vec![] } else { self.ports.tags.by_ids(access, &ids).await? });
        if tags.len() < names.tags.len() {
            // At least one name means no tag: load the newest tags for suggestions.
            let newest = self
                .ports
                .tags
                .list(access, &ListFilter::default(), PageRequest { limit: 100, ..PageRequest::default() })
                .await?
                .items;
            tags.extend(newest.into_iter().filter(|tag| ids.contains(&tag.id) || !keys.contains(&tag.name_key())));
        }
        let media = names.media.iter().filter_map(|word| word.parse().ok()).collect();
        let media = existing_files(&self.ports, access, media).await?;
        let flows: Vec<FlowId> = names.flows.iter().filter_map(|word| word.parse().ok()).collect();
        let flows = if flows.is_empty() { vec![] } else { self.ports.flows.present(access, &flows).await? };
        let sequences: Vec<_> = names.sequences.iter().filter_map(|word| word.parse().ok()).collect();
        let sequences = FlowEnrollments { ports: self.ports.clone() }.known(access, &sequences).await?;
        let channels = self
            .ports
            .channels
            .list(access, &ListFilter::default(), PageRequest { limit: 100, ..PageRequest::default() })
            .await?
            .items;
        let mut members = BTreeMap::new();
        for user in names.members.iter().filter_map(|word| word.parse().ok()).take(MAX_MEMBERS) {
            members.extend(self.ports.members.role(access, user).await?.map(|role| (user, role)));
        }
        let secrets = match names.secrets.is_empty() {
            true => Vec::new(),
            false => self.ports.workspace_secrets.all(access).await?,
        };
        let forbidden =
            names.urls.into_iter().filter_map(|url| Some((url.clone(), self.ports.addresses.check(&url).err()?)));
        let (neighbours, rivals) = match Definition::parse(definition) {
            Ok(draft) => (
                ReachableFlows::of(&self.ports, access, &draft, own).await?,
                CompetingTrigger::of(&self.ports, access, &draft, own).await?,
            ),
            Err(_) => Default::default(),
        };
        let known = KnownObjects {
            tags,
            fields: self.ports.fields.all(access).await?,
            bot_fields: self.ports.fields.bot_all(access).await?,
            flows: flows.into_iter().collect(),
            sequences: sequences.into_iter().collect(),
            media: media.into_iter().map(|it| it.id).collect(),
            secrets,
            forbidden_urls: forbidden.collect(),
            channels: channels.iter().map(|channel| channel.id).collect(),
            carriers: Some(channels.iter().map(|channel| self.ports.connectors.capabilities(channel.kind)).collect()),
            members,
            neighbours,
            rivals,
            own,
        };
        Ok(analyse(definition, &known))
    }
}
