//! Loads the workspace data that a simulation needs: objects, the flows that may start, and sequences.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::bounds::{MAX_DEFINITIONS, MAX_FLOWS};
use super::prepared_simulation::{PlacedScript, no_definition};
use super::script::{Entry, Script};
use super::subject::SimulationSubject;
use crate::access::{Access, OutboundMode, Workspace};
use crate::catalog::Catalog;
use crate::conditions::Mentions;
use crate::contacts::{Contact, TagRef};
use crate::conversations::existing_files;
use crate::error::Error;
use crate::flows::{CompiledFlow, Flow, FlowStatus};
use crate::ids::{FlowId, MediaId, SequenceId, TagId};
use crate::memory::{Contents, StoredFlow};
use crate::ports::{Ports, StoreError};
use crate::secrets::{Secret, secret_context};
use crate::sequences::{Sequence, SequenceStatus, StepAction};
use crate::tags::Tag;

/// Returns the placeholder for the value of a secret: its name.
fn stand_in(secret: &Secret) -> String {
    format!("secrets.{}", secret.name)
}

pub(super) struct PendingHints {
    pub(super) contents: Contents,
    /// Flows that exceeded the limits.
    pub(super) left_out: Vec<FlowId>,
}

/// Collects flows and sequences, and those that they may start.
struct Gathering<'a> {
    ports: &'a Ports,
    access: &'a Access,
    flows: BTreeMap<FlowId, StoredFlow>,
    sequences: BTreeMap<SequenceId, Sequence>,
    bytes: usize,
    left_out: BTreeSet<FlowId>,
    /// The files of messages.
    media: BTreeSet<MediaId>,
    open: Vec<UnresolvedName>,
}

/// A named object that is not loaded yet.
enum UnresolvedName {
    Flow(FlowId),
    Sequence(SequenceId),
}

/// Loads the data that the scripts need.
///
/// # Errors
/// [`Error::Store`].
pub(super) async fn gather(
    ports: &Ports,
    access: &Access,
    tried: (&SimulationSubject, Option<StoredFlow>),
    contact: Option<Contact>,
    scripts: &[PlacedScript],
) -> Result<PendingHints, Error> {
    let mut gathering = Gathering {
        ports,
        access,
        flows: BTreeMap::new(),
        sequences: BTreeMap::new(),
        bytes: 0,
        left_out: BTreeSet::new(),
        media: BTreeSet::new(),
        open: Vec::new(),
    };
    match tried {
        (SimulationSubject::Flow { version, .. }, stored) => {
            gathering.follow(version);
            gathering.flows.extend(stored.map(|stored| (stored.flow.id, stored)));
        }
        (SimulationSubject::Sequence(sequence), _) => gathering.add_sequence(Sequence {
            // A simulated sequence is active, whatever its status.
            status: SequenceStatus::Active,
            deleted_at: None,
            ..(**sequence).clone()
        }),
    }
    gathering.follow_all().await?;
    gathering.add_triggered(scripts).await?;
    let Gathering { flows, sequences, left_out, media, .. } = gathering;
    let media = existing_files(ports, access, media).await?;

    let (catalog, bot_fields, workspace, secrets, members) = futures::try_join!(
        ports.catalog.catalog(access.workspace()),
        ports.fields.bot_all(access),
        ports.access.workspace(access.workspace()),
        ports.workspace_secrets.all(access),
        ports.members.members(access),
    )?;
    let conversations = match &contact {
        Some(contact) => ports.conversations.with(access, contact.id).await?,
        None => Vec::new(),
    };
    let flows: Vec<StoredFlow> = flows.into_values().collect();
    let sequences: Vec<Sequence> = sequences.into_values().collect();
    let tags = tags(&catalog, &flows, &sequences, contact.as_ref(), scripts);
    let contents = Contents {
        workspace: workspace.map(|it| Workspace { outbound: OutboundMode::Send, ..it }),
        members: members.into_iter().map(|it| it.member).collect(),
        // Providers are not contacted, so their endpoints and credentials are not needed.
        channels: catalog
            .channels
            .iter()
            .cloned()
            .map(|it| crate::channels::Channel { endpoint: None, ..it })
            .collect(),
        tags,
        fields: catalog.fields.clone(),
        bot_fields,
        secrets: secrets.into_iter().map(masked).collect(),
        media,
        contacts: contact.into_iter().collect(),
        conversations,
        flows,
        sequences,
    };
    Ok(PendingHints { contents, left_out: left_out.into_iter().collect() })
}

/// Replaces the value of a secret with its placeholder.
fn masked(secret: Secret) -> Secret {
    let sealer: &dyn crate::ports::Sealer = &crate::memory::PlainSealer;
    let sealed = sealer.seal(stand_in(&secret).as_bytes(), &secret_context(secret.id));
    Secret { sealed, ..secret }
}

/// Returns the tags that the simulation may need.
fn tags(
    catalog: &Catalog,
    flows: &[StoredFlow],
    sequences: &[Sequence],
    contact: Option<&Contact>,
    scripts: &[PlacedScript],
) -> Vec<Tag> {
    let mut ids: BTreeSet<TagId> = flows.iter().flat_map(|it| it.version.tags.values().copied()).collect();
    ids.extend(contact.iter().flat_map(|contact| contact.tags.iter().map(|tag| tag.id)));
    let filters = flows.iter().flat_map(|it| it.triggers.iter().filter_map(|trigger| trigger.get("filter")));
    let mut words = Mentions::of(filters).tags;
    words.extend(sequences.iter().filter_map(|it| it.exit_when.as_ref()).flat_map(|it| it.mentions().tags));
    let made_up = scripts.iter().filter_map(|placed| placed.script.contact.as_ref());
    for tag in made_up.flat_map(|contact| &contact.person.tags) {
        match &tag.tag {
            TagRef::Id(id) => drop(ids.insert(*id)),
            TagRef::Name(name) => drop(words.insert(name.clone())),
        }
    }
    ids.extend(words.iter().filter_map(|word| word.parse::<TagId>().ok()));
    let names: BTreeSet<String> = words.iter().map(|word| crate::text::fold(word)).collect();
    let wanted = |tag: &&Tag| ids.contains(&tag.id) || (!names.is_empty() && names.contains(&tag.name_key()));
    catalog.tags.values().filter(wanted).cloned().collect()
}

impl Gathering<'_> {
    /// Queues the objects that a flow names.
    fn follow(&mut self, flow: &CompiledFlow) {
        self.open.extend(flow.flows.iter().copied().map(UnresolvedName::Flow));
        self.open.extend(flow.sequences.iter().copied().map(UnresolvedName::Sequence));
        self.media.extend(flow.media.iter().copied());
    }

    fn add_sequence(&mut self, sequence: Sequence) {
        for step in &sequence.steps {
            match &step.action {
                StepAction::StartFlow { flow } => self.open.push(UnresolvedName::Flow(*flow)),
                StepAction::SendMessage { content } => self.media.extend(content.files().map(|(_, media)| media)),
            }
        }
        self.sequences.insert(sequence.id, sequence);
    }

    /// Loads all queued objects and the objects that they name.
    async fn follow_all(&mut self) -> Result<(), StoreError> {
        while let Some(named) = self.open.pop() {
            match named {
                UnresolvedName::Flow(flow) => self.add_flow(flow).await?,
                UnresolvedName::Sequence(id) if !self.sequences.contains_key(&id) => {
                    if let Some(sequence) = self.ports.sequences.get(self.access, id).await? {
                        self.add_sequence(sequence);
                    }
                }
                UnresolvedName::Sequence(_) => {}
            }
        }
        Ok(())
    }

    /// Adds the published version of an existing flow, within the limits.
    async fn add_flow(&mut self, id: FlowId) -> Result<(), StoreError> {
        if self.flows.contains_key(&id) || self.left_out.contains(&id) {
            return Ok(());
        }
        let Some(flow) = self.ports.flows.get(self.access, id).await? else { return Ok(()) };
        let Some(number) = flow.version_published else { return Ok(()) };
        let compiled = match self.ports.flows.compiled(self.access, id, number).await {
            Ok(Some(compiled)) => compiled,
            // A flow that cannot be read cannot start either.
            Ok(None) | Err(StoreError::Corrupt(_)) => return Ok(()),
            Err(error) => return Err(error),
        };
        // `flows` already contains the simulated flow.
        if self.flows.len() > MAX_FLOWS || self.bytes + compiled.bytes > MAX_DEFINITIONS {
            self.left_out.insert(id);
            return Ok(());
        }
        self.bytes += compiled.bytes;
        let triggers = match compiled.definition.triggers.is_empty() {
            true => Vec::new(),
            false => {
                let version = self.ports.flows.version(self.access, id, number).await?;
                version.map(|version| triggers_of(&version.definition)).unwrap_or_default()
            }
        };
        self.follow(&compiled);
        self.flows.insert(id, StoredFlow { flow: stored(flow), number, version: compiled, triggers });
        Ok(())
    }

    /// Adds the active flows that a trigger may start.
    async fn add_triggered(&mut self, scripts: &[PlacedScript]) -> Result<(), StoreError> {
        let (ports, access) = (self.ports, self.access);
        let entries = |script: &Script| script.entries.clone().unwrap_or_default();
        let entries: Vec<Entry> = scripts.iter().flat_map(|placed| entries(&placed.script)).collect();
        let listeners = ports.listeners.listeners(access.workspace(), None).await?;
        let mut triggers = Vec::new();
        if entries.iter().any(|entry| matches!(entry, Entry::Message { .. })) {
            triggers.extend(ports.flows.keyword_triggers(access).await?);
        }
        if entries.iter().any(|entry| matches!(entry, Entry::Message { referral: Some(_), .. })) {
            triggers.extend(ports.flows.referral_triggers(access).await?);
        }
        for entry in &entries {
            if let Entry::Event { name, .. } = entry
                && listeners.custom.contains(name.as_str())
            {
                triggers.extend(ports.flows.custom_event_triggers(access, name).await?);
            }
        }
        for kind in &listeners.reactions {
            triggers.extend(ports.flows.event_triggers(access, *kind).await?);
        }
        let mut seen = BTreeSet::new();
        for trigger in triggers.into_iter().filter(|trigger| seen.insert(trigger.flow)) {
            self.open.push(UnresolvedName::Flow(trigger.flow));
            self.follow_all().await?;
        }
        Ok(())
    }
}

/// Returns a flow without its draft, which simulations do not use.
pub(super) fn stored(flow: Flow) -> Flow {
    Flow { definition: no_definition(), ..flow }
}

/// Returns the simulated flow as an active flow.
pub(super) fn tried(flow: Flow, number: i64, version: Arc<CompiledFlow>, definition: &Value) -> StoredFlow {
    let flow = Flow { status: FlowStatus::Active, version_published: Some(number), ..stored(flow) };
    StoredFlow { flow, number, version, triggers: triggers_of(definition) }
}

fn triggers_of(definition: &Value) -> Vec<Value> {
    definition.get("triggers").and_then(Value::as_array).cloned().unwrap_or_default()
}
