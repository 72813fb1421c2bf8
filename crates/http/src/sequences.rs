//! `/sequences`: timed series of steps.

use serde::Serialize;
use serde_json::Value;
use tidings_domain::Error;
use tidings_domain::ids::SequenceId;
use tidings_domain::outcome::Done;
use tidings_domain::read::{Input, Read, Violation, any, list as items, text, word};
use tidings_domain::references::LostReferenceView;
use tidings_domain::sequences::{
    ExitOn, NewSequence, Reenroll, ReenrollView, Sequence, SequencePatch, SequenceStatus, SequenceView, SequenceZone,
    Step, StepView, parse_steps,
};
use utoipa::{IntoParams, ToSchema};

use crate::answer::Answer;
use crate::paging::{List, PageParams};
use crate::problem::Problem;
use crate::request::{Cx, ForceParams};

const READ_ONLY: &[&str] = &["id", "created_at", "updated_at", "version"];
/// In which statuses a sequence may be made.
const FIRST: [&str; 2] = ["draft", "active"];

/// A sequence in the path.
#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[allow(dead_code, reason = "describes the parameters")]
pub(crate) struct SequencePath {
    /// The sequence's id.
    #[param(inline)]
    id: SequenceId,
}

/// A sequence to be created.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes the body")]
struct CreateSequence {
    /// What people call it.
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// `draft` (when absent) or `active`.
    #[schema(nullable = false)]
    status: Option<SequenceStatus>,
    /// What happens, in order. None when absent; an active sequence needs at least one.
    #[schema(max_items = 100, nullable = false)]
    steps: Option<Vec<StepView>>,
    /// What makes contacts leave it early; `["unsubscribe"]` when absent.
    #[schema(nullable = false)]
    exit_on: Option<Vec<ExitOn>>,
    /// A condition that makes contacts leave it early; looked at before each step.
    #[schema(value_type = Option<Object>)]
    exit_when: Option<Value>,
    /// Whether contacts may come again: `never` (when absent), `after_completion`, `always`, or
    /// `{"after": "P30D"}`.
    #[schema(nullable = false)]
    reenroll: Option<ReenrollView>,
    /// Whose clock windows go by that name no zone of their own; `contact` when absent.
    #[schema(nullable = false)]
    time_zone: Option<SequenceZone>,
}

/// A merging update: what is absent stays, `steps` are replaced whole.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "describes the body")]
struct UpdateSequence {
    /// What people call it.
    #[schema(min_length = 1, max_length = 100, nullable = false)]
    name: Option<String>,
    /// Pausing stops all steps; archiving ends the sequence for good.
    #[schema(nullable = false)]
    status: Option<SequenceStatus>,
    /// The whole new series. Whoever is in it goes on behind the last step that was taken.
    #[schema(max_items = 100, nullable = false)]
    steps: Option<Vec<StepView>>,
    /// What makes contacts leave it early.
    #[schema(nullable = false)]
    exit_on: Option<Vec<ExitOn>>,
    /// A condition that makes contacts leave it early; looked at before each step.
    #[schema(value_type = Option<Object>)]
    exit_when: Option<Value>,
    /// Whether contacts may come again.
    #[schema(nullable = false)]
    reenroll: Option<ReenrollView>,
    /// Whose clock windows go by that name no zone of their own.
    #[schema(nullable = false)]
    time_zone: Option<SequenceZone>,
}

/// Lists sequences.
#[utoipa::path(get, path = "/api/v1/sequences", tag = "Sequences", params(PageParams),
    responses((status = 200, description = "A page of sequences.", body = List<SequenceView>)))]
pub async fn list(cx: Cx) -> Result<Answer, Problem> {
    let (query, paging) = cx.list_query()?;
    query.finish().map_err(Problem::validation)?;
    let page = cx.services().sequences.list(cx.access(), paging.request).await?;
    Ok(cx.page(&paging, page, |sequence| SequenceView::from(sequence)))
}

/// Creates a sequence.
#[utoipa::path(post, path = "/api/v1/sequences", tag = "Sequences", request_body = CreateSequence,
    responses((status = 201, description = "The sequence.", body = SequenceView)))]
pub async fn create(cx: Cx) -> Result<Answer, Problem> {
    let command = cx.read(READ_ONLY, |body| {
        let name = body.required("name", text(1..=100));
        let first = |word: &str| SequenceStatus::parse(word).filter(|_| FIRST.contains(&word));
        let status = body.optional("status", word(&FIRST, first));
        let steps = body.optional("steps", steps);
        let exit_on = body.optional("exit_on", exit_on);
        let exit_when = body.nullable("exit_when", condition);
        let reenroll = body.optional("reenroll", reenroll);
        let time_zone = body.optional("time_zone", word(SequenceZone::WORDS, SequenceZone::parse));
        Some(NewSequence {
            name: name?,
            status: status.unwrap_or(SequenceStatus::Draft),
            steps: steps.unwrap_or_default(),
            exit_on: exit_on.unwrap_or_else(|| vec![ExitOn::Unsubscribe]),
            exit_when,
            reenroll: reenroll.unwrap_or(Reenroll::Never),
            time_zone: time_zone.unwrap_or(SequenceZone::Contact),
        })
    })?;
    let render = |done: &Done<Sequence>| {
        show(&done.value).outcome(done.outcome).located(format!("/api/v1/sequences/{}", done.value.id))
    };
    cx.once(render, async |keep| cx.services().sequences.create(cx.access(), command, keep).await).await
}

/// Shows a sequence.
#[utoipa::path(get, path = "/api/v1/sequences/{id}", tag = "Sequences", params(SequencePath),
    responses((status = 200, description = "The sequence.", body = ShownSequence)))]
pub async fn get(cx: Cx) -> Result<Answer, Problem> {
    Ok(shown(&cx, cx.id("id")?).await?)
}

/// Updates a sequence.
///
/// Whoever is in it is decided anew: a delay that shrank brings a step forward. Merges, as PATCH does.
#[utoipa::path(put, path = "/api/v1/sequences/{id}", tag = "Sequences", params(SequencePath),
    request_body = UpdateSequence,
    responses((status = 200, description = "The sequence afterwards.", body = SequenceView)))]
pub async fn update(cx: Cx) -> Result<Answer, Problem> {
    let patch = cx.read(READ_ONLY, |body| {
        Some(SequencePatch {
            name: body.optional("name", text(1..=100)),
            status: body.optional("status", word(SequenceStatus::WORDS, SequenceStatus::parse)),
            steps: body.optional("steps", steps),
            exit_on: body.optional("exit_on", exit_on),
            exit_when: body.patch("exit_when", condition),
            reenroll: body.optional("reenroll", reenroll),
            time_zone: body.optional("time_zone", word(SequenceZone::WORDS, SequenceZone::parse)),
        })
    })?;
    let sequence = cx.id("id")?;
    let expected = cx.expected(shown(&cx, sequence)).await?;
    Ok(show(&cx.services().sequences.update(cx.access(), sequence, patch, &expected).await?))
}

/// Updates a sequence.
///
/// Whoever is in it is decided anew: a delay that shrank brings a step forward. Merges, as PUT does.
#[utoipa::path(patch, path = "/api/v1/sequences/{id}", tag = "Sequences", params(SequencePath),
    request_body = UpdateSequence,
    responses((status = 200, description = "The sequence afterwards.", body = SequenceView)))]
pub async fn patch(cx: Cx) -> Result<Answer, Problem> {
    update(cx).await
}

/// Deletes a sequence.
///
/// It takes no further step, and whoever is in it leaves it with the reason `sequence_archived`.
#[utoipa::path(delete, path = "/api/v1/sequences/{id}", tag = "Sequences",
    params(SequencePath, ForceParams),
    responses((status = 204, description = "It is gone."),
    (status = 409, description = "`in_use`: other objects name it; `dependents` lists them.")))]
pub async fn delete(cx: Cx) -> Result<Answer, Problem> {
    let deletion = cx.deletion()?;
    let sequence = cx.id("id")?;
    let expected = cx.expected(shown(&cx, sequence)).await?;
    cx.services().sequences.delete(cx.access(), sequence, deletion, &expected).await?;
    Ok(Answer::no_content())
}

/// A sequence with what it lost.
#[derive(Serialize, ToSchema)]
struct ShownSequence {
    #[serde(flatten)]
    view: SequenceView,
    /// What it named when that was deleted by force, until it is next edited; absent where it lost nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    lost_references: Vec<LostReferenceView>,
}

async fn shown(cx: &Cx, sequence: SequenceId) -> Result<Answer, Error> {
    let found = cx.services().sequences.get(cx.access(), sequence).await?;
    let lost = cx.services().sequences.lost(cx.access(), sequence).await?;
    let lost_references = lost.iter().map(LostReferenceView::from).collect();
    Ok(Answer::object(&ShownSequence { view: SequenceView::from(&found), lost_references }, found.version))
}

fn show(sequence: &Sequence) -> Answer {
    Answer::object(&SequenceView::from(sequence), sequence.version)
}

/// The domain reads steps and tells all that is wrong with them.
fn steps(input: Input<'_>) -> Result<Vec<Step>, Vec<Violation>> {
    parse_steps(&any().read(input)?)
}

/// Each once, however often it is said.
fn exit_on(input: Input<'_>) -> Result<Vec<ExitOn>, Vec<Violation>> {
    let named = items(0..=10, word(ExitOn::WORDS, ExitOn::parse)).read(input)?;
    let mut once = Vec::new();
    named.into_iter().for_each(|it| once.extend(Some(it).filter(|it| !once.contains(it))));
    Ok(once)
}

fn reenroll(input: Input<'_>) -> Result<Reenroll, Vec<Violation>> {
    let read = Reenroll::parse(&input.to_value());
    read.map_err(|(at, code, message)| Violation::new(at, code, message).into())
}

/// Its grammar is the domain's, which knows the fields of the workspace.
fn condition(input: Input<'_>) -> Result<Value, Vec<Violation>> {
    match input {
        Input::Object(_) => any().read(input),
        other => Err(Violation::here("wrong_type", format!("expected an object, got {}", other.kind())).into()),
    }
}
