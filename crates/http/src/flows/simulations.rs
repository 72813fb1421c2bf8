//! `…/simulate`: simulations of flows and sequences.

use std::time::{Duration, Instant};

use serde_json::Value;
use tidings_domain::body;
use tidings_domain::contacts::ContactRef;
use tidings_domain::flows::Finding;
use tidings_domain::ids::RunId;
use tidings_domain::read::schema::{Describe, Described, described};
use tidings_domain::read::{Input, Read, Violation, id, list, nested};
use tidings_domain::simulation::{
    FlowVersionRef, MAX_SCRIPTS, PreparedSimulation, Script, Simulated, SimulationRequest, SimulationService,
    findings_of_failure,
};
use tidings_domain::{Error, read};
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, OneOfBuilder, RefOr};

use crate::contacts::reference;
use crate::flows::definitions::definition as flow_definition;
use crate::request::RequestContext;
use crate::request::path::{FLOW, SEQUENCE};
use crate::response::answer::Answer;
use crate::response::problem::Problem;

/// The time limit for all scripts of a request.
const MOST: Duration = Duration::from_secs(3);

body! {
    /// The options of all simulations.
    struct PlayedScript {
        /// The contact: an ID, or `external_id:…`, `email:…` or `phone:…`. The contact is not changed.
        nullable contact_id: ContactRef = reference();
        /// ID of the simulated run, which decides the arm of a `split`. Use the ID of a run to get the same arm.
        optional run_id: RunId = id();
        /// Several scripts instead of one; each starts from the beginning. If neither is sent, the scripts of the
        /// definition.
        optional scripts: Vec<Script> = list(1..=MAX_SCRIPTS, nested());
        /// One script.
        flat script: Script;
    }
}

body! {
    /// Options for simulating a flow.
    struct SimulateFlow {
        /// `draft`, or the number of a published version.
        optional version: FlowVersionRef = version();
        /// The options of all simulations.
        flat played: PlayedScript;
    }
}

body! {
    /// Options for simulating an unsaved definition.
    struct SimulateDefinition {
        /// The definition, as in a flow.
        required definition: Value = flow_definition();
        /// The options of all simulations.
        flat played: PlayedScript;
    }
}

body! {
    /// Options for simulating a sequence.
    struct SimulateSequence {
        /// The options of all simulations.
        flat played: PlayedScript;
    }
}

impl PlayedScript {
    fn request(self) -> Result<SimulationRequest, Error> {
        let Self { contact_id, run_id, scripts, script } = self;
        let script = Some(script).filter(|script| *script != Script::default());
        if scripts.is_some() && script.is_some() {
            let message = "send either `scripts`, or the fields of one script";
            return Err(Error::invalid("/scripts", "not_allowed", message));
        }
        Ok(SimulationRequest { contact: contact_id, run: run_id, scripts, script })
    }
}

/// Simulate a flow.
///
/// Runs it in virtual time; nothing is changed, sent or counted. The flow is treated as active. A draft must be valid
/// for publishing.
#[utoipa::path(post, path = "/api/v1/flows/{id}/simulate", tag = "Flows", request_body = SimulateFlow, responses(
    (status = 200, description = "The result of the simulation.", body = Simulated),
    (status = 429, description = "`simulation_limit`: too many simulations of the workspace are running.")))]
pub async fn flow(cx: RequestContext) -> Result<Answer, Problem> {
    let SimulateFlow { version, played } = cx.body()?;
    let request = played.request()?;
    let flow = cx.path_parameter(&FLOW)?;
    let version = version.unwrap_or_default();
    play(&cx, async |service| service.flow(cx.access(), flow, version, request).await).await
}

/// Simulate a flow definition.
///
/// Runs an unsaved definition in virtual time; nothing is stored, changed, sent or counted. Errors in the definition
/// return 422, with pointers that begin with `/definition`.
#[utoipa::path(post, path = "/api/v1/flows/simulate", tag = "Flows", request_body = SimulateDefinition, responses(
    (status = 200, description = "The result of the simulation.", body = Simulated),
    (status = 429, description = "`simulation_limit`: too many simulations of the workspace are running.")))]
pub async fn definition(cx: RequestContext) -> Result<Answer, Problem> {
    let SimulateDefinition { definition, played } = cx.body()?;
    let request = played.request()?;
    play(&cx, async |service| service.definition(cx.access(), &definition, request).await).await
}

/// Simulate a sequence.
///
/// Enrolls the contact at once, and runs the sequence in virtual time. Nothing is changed, sent or counted. The
/// sequence is treated as active.
#[utoipa::path(post, path = "/api/v1/sequences/{id}/simulate", tag = "Sequences", request_body = SimulateSequence,
    responses((status = 200, description = "The result of the simulation.", body = Simulated),
    (status = 429, description = "`simulation_limit`: too many simulations of the workspace are running.")))]
pub async fn sequence(cx: RequestContext) -> Result<Answer, Problem> {
    let SimulateSequence { played } = cx.body()?;
    let request = played.request()?;
    let sequence = cx.path_parameter(&SEQUENCE)?;
    play(&cx, async |service| service.sequence(cx.access(), sequence, request).await).await
}

async fn play(
    cx: &RequestContext,
    ready: impl AsyncFnOnce(&SimulationService) -> Result<PreparedSimulation, Error>,
) -> Result<Answer, Problem> {
    Ok(Answer::json(&played(&ready(&cx.services().simulations).await?)?))
}

/// Returns the findings of the scripts of a definition that have expectations.
pub(crate) async fn findings(
    cx: &RequestContext,
    ready: impl AsyncFnOnce(&SimulationService) -> Result<PreparedSimulation, Error>,
) -> Vec<Finding> {
    let simulated = ready(&cx.services().simulations).await.and_then(|simulation| played(&simulation));
    simulated.map_or_else(|error| findings_of_failure(&error), |simulated| simulated.findings())
}

/// Runs the simulation on this thread. The route needs the trait `computes`.
fn played(simulation: &PreparedSimulation) -> Result<Simulated, Error> {
    let began = Instant::now();
    simulation.play(&|| began.elapsed() < MOST)
}

fn version() -> impl Read<FlowVersionRef> + Describe {
    let read = |input: Input<'_>| match input {
        Input::String("draft") => Ok(FlowVersionRef::Draft),
        Input::Number(_) => read::integer(1..=i64::MAX).read(input).map(FlowVersionRef::Number),
        _ => Err(Violation::at_root("invalid_value", "expected `draft` or the number of a published version").into()),
    };
    described(read, || {
        let draft = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(["draft"]));
        let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1.0));
        let either = OneOfBuilder::new().item(draft).item(number);
        Described { schema: RefOr::T(either.into()), components: Vec::new() }
    })
}
