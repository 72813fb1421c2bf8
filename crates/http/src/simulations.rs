//! `…/simulate`: flows and sequences, tried before anybody is in them.

use std::time::{Duration, Instant};

use serde_json::Value;
use tidings_domain::body;
use tidings_domain::contacts::ContactRef;
use tidings_domain::flows::Finding;
use tidings_domain::ids::RunId;
use tidings_domain::read::schema::{Describe, Described, described};
use tidings_domain::read::{Input, Read, Violation, id, list, nested};
use tidings_domain::simulation::{
    FlowVersionRef, MAX_SCRIPTS, Rehearsal, Script, Simulated, SimulationRequest, SimulationService,
    findings_of_failure,
};
use tidings_domain::{Error, read};
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, OneOfBuilder, RefOr};

use crate::answer::Answer;
use crate::contacts::reference;
use crate::definitions::definition as flow_definition;
use crate::path::{FLOW, SEQUENCE};
use crate::problem::Problem;
use crate::request::Cx;

/// How long the scripts of one request are played.
const MOST: Duration = Duration::from_secs(3);

body! {
    /// With whom, and what happens.
    struct Played {
        /// With whom: a contact's id, or `external_id:…`, `email:…` or `phone:…`. Nothing of the contact is changed.
        nullable contact_id: ContactRef = reference();
        /// The id of the run that begins, by which a `split` chooses: as that run chose, or will.
        optional run_id: RunId = id();
        /// Several scripts, each played from the beginning, in place of one. When neither is there, those that the
        /// definition keeps.
        optional scripts: Vec<Script> = list(1..=MAX_SCRIPTS, nested());
        /// One script.
        flat script: Script;
    }
}

body! {
    /// How a flow is tried.
    struct SimulateFlow {
        /// `draft`, or the number of a published version.
        optional version: FlowVersionRef = version();
        /// With whom, and what happens.
        flat played: Played;
    }
}

body! {
    /// How a definition is tried that is not saved.
    struct SimulateDefinition {
        /// The definition, as a flow has it.
        required definition: Value = flow_definition();
        /// With whom, and what happens.
        flat played: Played;
    }
}

body! {
    /// How a sequence is tried.
    struct SimulateSequence {
        /// With whom, and what happens.
        flat played: Played;
    }
}

impl Played {
    fn request(self) -> Result<SimulationRequest, Error> {
        let Self { contact_id, run_id, scripts, script } = self;
        let script = Some(script).filter(|script| *script != Script::default());
        if scripts.is_some() && script.is_some() {
            let message = "give either scripts, or what one script says";
            return Err(Error::invalid("/scripts", "not_allowed", message));
        }
        Ok(SimulationRequest { contact: contact_id, run: run_id, scripts, script })
    }
}

/// Plays a flow in virtual time.
///
/// Nothing is changed, sent or counted. The flow is played as if it were active; its draft must be one that could be
/// published.
#[utoipa::path(post, path = "/api/v1/flows/{id}/simulate", tag = "Flows", request_body = SimulateFlow, responses(
    (status = 200, description = "What would happen.", body = Simulated),
    (status = 429, description = "`simulation_limit`: too many simulations of the workspace are under way.")))]
pub async fn flow(cx: Cx) -> Result<Answer, Problem> {
    let SimulateFlow { version, played } = cx.body()?;
    let request = played.request()?;
    let flow = cx.named(&FLOW)?;
    let version = version.unwrap_or_default();
    play(&cx, async |service| service.flow(cx.access(), flow, version, request).await).await
}

/// Plays a definition that is not saved in virtual time.
///
/// Nothing is kept, changed, sent or counted. What is wrong with the definition is told as 422, with pointers that begin
/// with `/definition`.
#[utoipa::path(post, path = "/api/v1/flows/simulate", tag = "Flows", request_body = SimulateDefinition, responses(
    (status = 200, description = "What would happen.", body = Simulated),
    (status = 429, description = "`simulation_limit`: too many simulations of the workspace are under way.")))]
pub async fn definition(cx: Cx) -> Result<Answer, Problem> {
    let SimulateDefinition { definition, played } = cx.body()?;
    let request = played.request()?;
    play(&cx, async |service| service.definition(cx.access(), &definition, request).await).await
}

/// Plays a sequence in virtual time: the contact is enrolled at once.
///
/// Nothing is changed, sent or counted. The sequence is played as if it were active.
#[utoipa::path(post, path = "/api/v1/sequences/{id}/simulate", tag = "Sequences", request_body = SimulateSequence,
    responses((status = 200, description = "What would happen.", body = Simulated),
    (status = 429, description = "`simulation_limit`: too many simulations of the workspace are under way.")))]
pub async fn sequence(cx: Cx) -> Result<Answer, Problem> {
    let SimulateSequence { played } = cx.body()?;
    let request = played.request()?;
    let sequence = cx.named(&SEQUENCE)?;
    play(&cx, async |service| service.sequence(cx.access(), sequence, request).await).await
}

async fn play(
    cx: &Cx,
    ready: impl AsyncFnOnce(&SimulationService) -> Result<Rehearsal, Error>,
) -> Result<Answer, Problem> {
    Ok(Answer::json(&played(&ready(&cx.services().simulations).await?)?))
}

/// What the scripts of a definition find that expect something.
pub(crate) async fn findings(
    cx: &Cx,
    ready: impl AsyncFnOnce(&SimulationService) -> Result<Rehearsal, Error>,
) -> Vec<Finding> {
    let simulated = ready(&cx.services().simulations).await.and_then(|rehearsal| played(&rehearsal));
    simulated.map_or_else(|error| findings_of_failure(&error), |simulated| simulated.findings())
}

/// Plays on this thread: a route that gets here has the trait `computes`.
fn played(rehearsal: &Rehearsal) -> Result<Simulated, Error> {
    let began = Instant::now();
    rehearsal.play(&|| began.elapsed() < MOST)
}

/// `draft`, or a number.
fn version() -> impl Read<FlowVersionRef> + Describe {
    let read = |input: Input<'_>| match input {
        Input::String("draft") => Ok(FlowVersionRef::Draft),
        Input::Number(_) => read::integer(1..=i64::MAX).read(input).map(FlowVersionRef::Number),
        _ => Err(Violation::here("invalid_value", "expected draft or the number of a published version").into()),
    };
    described(read, || {
        let draft = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(["draft"]));
        let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1.0));
        let either = OneOfBuilder::new().item(draft).item(number);
        Described { schema: RefOr::T(either.into()), components: Vec::new() }
    })
}
