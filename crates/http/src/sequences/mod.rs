//! `/sequences`: timed series of steps.

pub(crate) mod enrollments;

use serde::Serialize;
use serde_json::Value;
use tidings_domain::Error;
use tidings_domain::body;
use tidings_domain::ids::SequenceId;
use tidings_domain::outcome::Done;
use tidings_domain::read::schema::{Describe, Described, described};
use tidings_domain::read::{Input, Read, any, list as items, map, name, word};
use tidings_domain::references::LostReferenceView;
use tidings_domain::sequences::{
    ExitOn, MAX_STEPS, NewSequence, Reenroll, ReenrollView, Sequence, SequencePatch, SequenceStatus, SequenceView,
    SequenceZone, Step, StepView, parse_steps,
};
use utoipa::ToSchema;

use crate::contacts::segments::condition;
use crate::request::list_filters::NameFilters;
use crate::request::paging::{List, PageParams};
use crate::request::path::SEQUENCE;
use crate::request::query::parameters;
use crate::request::{ForceParams, RequestContext};
use crate::response::answer::Answer;
use crate::response::problem::Problem;

const READ_ONLY: &[&str] = &["id", "created_at", "updated_at", "version"];
/// The statuses of a new sequence.
const FIRST: [&str; 2] = ["draft", "active"];

body! {
    /// A sequence to create.
    #[read_only(READ_ONLY)]
    struct CreateSequence {
        /// Display name.
        required name: String = name(1..=100);
        /// `draft` (default) or `active`.
        optional status: SequenceStatus = word(&FIRST, first);
        /// The steps, in order. None if absent; an active sequence needs at least one.
        optional steps: Vec<Step> = steps();
        /// Events that end enrollments early; `["unsubscribe"]` if absent.
        optional exit_on: Vec<ExitOn> = exit_on();
        /// Condition that ends enrollments early; checked before each step.
        nullable exit_when: Value = condition();
        /// Whether contacts can be enrolled again: `never` (default), `after_completion`, `always`, or
        /// `{"after": "P30D"}`.
        optional reenroll: Reenroll = reenroll();
        /// Time zone of windows that have no time zone; `contact` if absent.
        optional time_zone: SequenceZone = word(SequenceZone::WORDS, SequenceZone::parse);
    }
}

body! {
    /// Fields to update. Absent fields stay, `null` clears; `steps` are replaced as a whole.
    #[read_only(READ_ONLY)]
    struct UpdateSequence {
        /// Display name.
        optional name: String = name(1..=100);
        /// `paused` stops all steps. `archived` ends the sequence permanently.
        optional status: SequenceStatus = word(SequenceStatus::WORDS, SequenceStatus::parse);
        /// All steps. Enrolled contacts continue after the last step that ran.
        optional steps: Vec<Step> = steps();
        /// Events that end enrollments early.
        optional exit_on: Vec<ExitOn> = exit_on();
        /// Condition that ends enrollments early; checked before each step.
        patch exit_when: Value = condition();
        /// Whether contacts can be enrolled again.
        optional reenroll: Reenroll = reenroll();
        /// Time zone of windows that have no time zone.
        optional time_zone: SequenceZone = word(SequenceZone::WORDS, SequenceZone::parse);
    }
}

parameters! {
    struct SequenceFilters {
        flat called: NameFilters;
        /// Only sequences with this status.
        one status: SequenceStatus = word(SequenceStatus::WORDS, SequenceStatus::parse);
    }
}

/// List sequences.
///
/// Includes their steps.
#[utoipa::path(get, path = "/api/v1/sequences", tag = "Sequences", params(SequenceFilters, PageParams),
    responses((status = 200, description = "A page of sequences.", body = List<SequenceView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<PageParams>();
    let SequenceFilters { called, status } = query.read();
    query.finish()?;
    let filter = called.with(status);
    let page = cx.services().sequences.list(cx.access(), &filter, paging.request).await?;
    Ok(cx.page(&paging, page, |sequence| SequenceView::from(sequence)))
}

/// Create a sequence.
///
/// Steps run in order, after their delays and within their windows.
#[utoipa::path(post, path = "/api/v1/sequences", tag = "Sequences", request_body = CreateSequence,
    responses((status = 201, description = "The sequence.", body = SequenceView)))]
pub async fn create(cx: RequestContext) -> Result<Answer, Problem> {
    let it: CreateSequence = cx.body()?;
    let command = NewSequence {
        name: it.name,
        status: it.status.unwrap_or(SequenceStatus::Draft),
        steps: it.steps.unwrap_or_default(),
        exit_on: it.exit_on.unwrap_or_else(|| vec![ExitOn::Unsubscribe]),
        exit_when: it.exit_when,
        reenroll: it.reenroll.unwrap_or(Reenroll::Never),
        time_zone: it.time_zone.unwrap_or(SequenceZone::Contact),
    };
    let render = |done: &Done<Sequence>| {
        show(&done.value).outcome(done.outcome).located(format!("/api/v1/sequences/{}", done.value.id))
    };
    cx.run_idempotent(render, async |idempotency| {
        cx.services().sequences.create(cx.access(), command, idempotency).await
    })
    .await
}

/// Get a sequence.
///
/// `lost_references` lists deleted objects that the sequence used.
#[utoipa::path(get, path = "/api/v1/sequences/{id}", tag = "Sequences",
    responses((status = 200, description = "The sequence.", body = ShownSequence)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    Ok(load_answer(&cx, cx.path_parameter(&SEQUENCE)?).await?)
}

/// Update a sequence.
///
/// Present fields replace, absent fields stay, `null` clears. The next step of each enrollment is scheduled again: a
/// shorter delay makes it due earlier.
#[utoipa::path(method(put, patch), path = "/api/v1/sequences/{id}", tag = "Sequences",
    request_body = UpdateSequence,
    responses((status = 200, description = "The updated sequence.", body = SequenceView)))]
pub async fn update(cx: RequestContext) -> Result<Answer, Problem> {
    let UpdateSequence { name, status, steps, exit_on, exit_when, reenroll, time_zone } = cx.body()?;
    let patch = SequencePatch { name, status, steps, exit_on, exit_when, reenroll, time_zone };
    let sequence = cx.path_parameter(&SEQUENCE)?;
    let expected = cx.expected(load_answer(&cx, sequence)).await?;
    Ok(show(&cx.services().sequences.update(cx.access(), sequence, patch, &expected).await?))
}

/// Delete a sequence.
///
/// No further steps run. Live enrollments end with the reason `sequence_archived`.
#[utoipa::path(delete, path = "/api/v1/sequences/{id}", tag = "Sequences",
    params(ForceParams),
    responses((status = 204, description = "Deleted."),
    (status = 409, description = "`in_use`: other objects use it; `dependents` lists them.")))]
pub async fn delete(cx: RequestContext) -> Result<Answer, Problem> {
    let deletion = cx.deletion()?;
    let sequence = cx.path_parameter(&SEQUENCE)?;
    let expected = cx.expected(load_answer(&cx, sequence)).await?;
    cx.services().sequences.delete(cx.access(), sequence, deletion, &expected).await?;
    Ok(Answer::no_content())
}

/// A sequence with its lost references.
#[derive(Serialize, ToSchema)]
struct ShownSequence {
    #[serde(flatten)]
    view: SequenceView,
    /// Objects that it used and that were deleted with `force`. Cleared when the sequence is next updated; absent if
    /// there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    lost_references: Vec<LostReferenceView>,
}

async fn load_answer(cx: &RequestContext, sequence: SequenceId) -> Result<Answer, Error> {
    let found = cx.services().sequences.get(cx.access(), sequence).await?;
    let lost = cx.services().sequences.lost_references(cx.access(), &found).await?;
    let lost_references = lost.iter().map(LostReferenceView::from).collect();
    Ok(Answer::object(&ShownSequence { view: SequenceView::from(&found), lost_references }, found.version))
}

fn show(sequence: &Sequence) -> Answer {
    Answer::object(&SequenceView::from(sequence), sequence.version)
}

fn first(word: &str) -> Option<SequenceStatus> {
    SequenceStatus::parse(word).filter(|_| FIRST.contains(&word))
}

/// Reads steps. The domain reports all of their errors.
fn steps() -> impl Read<Vec<Step>> + Describe {
    let read = |input: Input<'_>| parse_steps(&any().read(input)?);
    described(read, || items(0..=MAX_STEPS, described((), Described::named::<StepView>)).describe())
}

/// Reads the exit events, without duplicates.
fn exit_on() -> impl Read<Vec<ExitOn>> + Describe {
    map(items(0..=10, word(ExitOn::WORDS, ExitOn::parse)), |named: Vec<ExitOn>| {
        let mut once = Vec::new();
        named.into_iter().for_each(|it| once.extend(Some(it).filter(|it| !once.contains(it))));
        once
    })
}

fn reenroll() -> impl Read<Reenroll> + Describe {
    described(|input: Input<'_>| Reenroll::parse(input), Described::named::<ReenrollView>)
}
