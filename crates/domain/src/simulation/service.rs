//! Use cases of simulations: they only read.

use std::sync::Arc;

use serde_json::Value;

use super::bounds::MAX_SCRIPTS;
use super::gather::{PendingHints, gather, tried};
use super::prepared_simulation::{PlacedScript, PreparedSimulation};
use super::script::Script;
use super::subject::SimulationSubject;
use crate::access::Access;
use crate::contacts::{Contact, ContactRef};
use crate::conversations::OptOutWords;
use crate::error::Error;
use crate::flows::{Flow, FlowService, FlowVersion};
use crate::ids::{FlowId, RunId, SequenceId, TypedId};
use crate::memory::StoredFlow;
use crate::ports::Ports;

/// The version of a flow to simulate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FlowVersionRef {
    /// The draft.
    #[default]
    Draft,
    /// The published version with this number.
    Number(i64),
}

/// A request for a simulation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SimulationRequest {
    /// The contact of all scripts without a fictional contact; an unknown contact if absent.
    pub contact: Option<ContactRef>,
    /// ID of the first run, which decides the exits of its `split` nodes.
    pub run: Option<RunId>,
    /// The scripts; if absent, `script`.
    pub scripts: Option<Vec<Script>>,
    /// The single script if `scripts` is absent. If both are absent, the scripts in the definition; without these, one
    /// empty script.
    pub script: Option<Script>,
}

/// Use cases of simulations.
#[derive(Clone)]
pub struct SimulationService {
    /// Access to storage and other services.
    pub ports: Arc<Ports>,
    /// Keywords for opting out of messages and in again.
    pub words: OptOutWords,
}

impl SimulationService {
    /// Prepares the simulation of a version of a flow. The flow runs as if it were active.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Invalid`] for all violations of a draft, an unknown version or an unknown
    /// contact, [`Error::Store`].
    pub async fn flow(
        &self,
        access: &Access,
        flow: FlowId,
        version: FlowVersionRef,
        request: SimulationRequest,
    ) -> Result<PreparedSimulation, Error> {
        let found = self.ports.flows.get(access, flow).await?.ok_or(Error::NotFound)?;
        match version {
            FlowVersionRef::Draft => {
                let definition = found.definition.clone();
                self.definition_of(access, found, &definition, Some(flow), request).await
            }
            FlowVersionRef::Number(number) => {
                let unknown =
                    || Error::invalid("/version", "unknown_version", "the flow has no version with this number");
                let version = self.ports.flows.version(access, flow, number).await?.ok_or_else(unknown)?;
                self.version_of(access, (found, version), Some(number), request).await
            }
        }
    }

    /// Prepares the simulation of an unsaved definition of a new flow.
    ///
    /// # Errors
    /// [`Error::Invalid`] for all its violations, under `/definition`, and for an unknown contact; [`Error::Store`].
    pub async fn definition(
        &self,
        access: &Access,
        definition: &Value,
        request: SimulationRequest,
    ) -> Result<PreparedSimulation, Error> {
        let id = FlowId::from_uuid(self.ports.ids.next());
        let flow = Flow::draft(id, "Simulation", Value::Null, self.ports.clock.now());
        self.definition_of(access, flow, definition, None, request).await
    }

    /// Prepares the simulation of an unsaved definition of a flow. It runs in place of the flow's published version.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Invalid`] for all violations of the definition, under `/definition`, and for an
    /// unknown contact; [`Error::Store`].
    pub async fn unsaved(
        &self,
        access: &Access,
        flow: FlowId,
        definition: &Value,
        request: SimulationRequest,
    ) -> Result<PreparedSimulation, Error> {
        let found = self.ports.flows.get(access, flow).await?.ok_or(Error::NotFound)?;
        self.definition_of(access, found, definition, Some(flow), request).await
    }

    /// Prepares the simulation of a sequence. It runs as if it were active.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Invalid`] for an unknown contact, [`Error::Store`].
    pub async fn sequence(
        &self,
        access: &Access,
        sequence: SequenceId,
        request: SimulationRequest,
    ) -> Result<PreparedSimulation, Error> {
        let found = self.ports.sequences.get(access, sequence).await?.ok_or(Error::NotFound)?;
        self.ready(access, (SimulationSubject::Sequence(Box::new(found)), None), &[], None, request).await
    }

    async fn definition_of(
        &self,
        access: &Access,
        flow: Flow,
        definition: &Value,
        own: Option<FlowId>,
        request: SimulationRequest,
    ) -> Result<PreparedSimulation, Error> {
        let flows = FlowService { ports: self.ports.clone() };
        let analysis = flows.validate(access, definition, own).await?;
        if !analysis.is_valid() {
            return Err(Error::Invalid(analysis.violations("/definition")));
        }
        let version = FlowVersion {
            flow: flow.id,
            number: flow.version_published.unwrap_or(0) + 1,
            definition: definition.clone(),
            tags: analysis.tags,
            bindings: None,
            created_at: self.ports.clock.now(),
        };
        self.version_of(access, (flow, version), None, request).await
    }

    async fn version_of(
        &self,
        access: &Access,
        (flow, version): (Flow, FlowVersion),
        number: Option<i64>,
        request: SimulationRequest,
    ) -> Result<PreparedSimulation, Error> {
        let compiled = Arc::new(version.compile()?);
        let kept = compiled.definition.scripts.clone();
        let what = SimulationSubject::Flow { flow: flow.id, version: compiled.clone() };
        let stored = tried(flow, version.number, compiled, &version.definition);
        self.ready(access, (what, Some(stored)), &kept, number, request).await
    }

    async fn ready(
        &self,
        access: &Access,
        (what, stored): (SimulationSubject, Option<StoredFlow>),
        kept: &[Script],
        version: Option<i64>,
        request: SimulationRequest,
    ) -> Result<PreparedSimulation, Error> {
        let scripts = placed(&request, kept)?;
        let contact = self.contact(access, request.contact.as_ref()).await?;
        let PendingHints { contents, left_out } =
            gather(&self.ports, access, (&what, stored), contact, &scripts).await?;
        Ok(PreparedSimulation {
            access: access.clone(),
            tried: what,
            version,
            contents,
            scripts,
            run: request.run,
            connectors: self.ports.connectors.clone(),
            words: self.words.clone(),
            now: self.ports.clock.now(),
            left_out,
        })
    }

    async fn contact(&self, access: &Access, named: Option<&ContactRef>) -> Result<Option<Contact>, Error> {
        let Some(named) = named else { return Ok(None) };
        let unknown = || Error::invalid("/contact_id", "unknown_contact", "no contact has this identifier");
        self.ports.contacts.find(access, named).await?.map(Some).ok_or_else(unknown)
    }
}

/// Returns the scripts to run, with their pointers.
fn placed(request: &SimulationRequest, kept: &[Script]) -> Result<Vec<PlacedScript>, Error> {
    let several = |under: &str, scripts: &[Script]| {
        let placed =
            |(place, script): (usize, &Script)| PlacedScript { at: format!("{under}/{place}"), script: script.clone() };
        scripts.iter().enumerate().map(placed).collect::<Vec<_>>()
    };
    let scripts = match (&request.scripts, &request.script) {
        (Some(scripts), _) => several("/scripts", scripts),
        (None, Some(script)) => vec![PlacedScript { at: String::new(), script: script.clone() }],
        (None, None) if kept.is_empty() => vec![PlacedScript { at: String::new(), script: Script::default() }],
        (None, None) => several("/definition/scripts", kept),
    };
    match scripts.len() {
        1..=MAX_SCRIPTS => Ok(scripts),
        0 => Err(Error::invalid("/scripts", "too_few", "at least one script is required")),
        _ => Err(Error::invalid("/scripts", "too_many", format!("at most {MAX_SCRIPTS} scripts"))),
    }
}
