//! `/contacts/bulk`: one action on all contacts that match a filter.

mod action;

use tidings_domain::body;
use tidings_domain::bulk::{BulkOperation, BulkOperationView, BulkPreview, BulkStatus, NewBulkOperation};
use tidings_domain::outcome::{Done, Outcome};
use tidings_domain::read::schema::{Describe, Described, described};
use tidings_domain::read::{Input, Read, integer, nested, word};
use tidings_domain::segments::Audience;

use self::action::ActionBody;

use crate::request::RequestContext;
use crate::request::paging::{List, PageParams};
use crate::request::path::BULK_OPERATION;
use crate::request::query::parameters;
use crate::response::answer::Answer;
use crate::response::problem::Problem;

body! {
    /// One action on all contacts that match a filter.
    pub(super) struct BulkBody as "BulkContacts" {
        /// The contacts: a condition, or `{"segment_id": …}`.
        required filter: Audience = filter();
        /// The action for each contact.
        required action: ActionBody = nested();
        /// Expected number of matching contacts. If the number differs by more than 5 %, nothing is done. Required for
        /// `delete`, and for a filter that matches every contact.
        nullable expected_count: i64 = integer(0..=1_000_000_000);
    }
}

body! {
    /// An action on all contacts that match a filter, to be previewed.
    pub(super) struct PreviewBody as "PreviewBulkOperation" {
        /// The contacts: a condition, or `{"segment_id": …}`.
        required filter: Audience = filter();
        /// The action for each contact. Without it, the contacts are only counted.
        nullable action: ActionBody = nested();
    }
}

parameters! {
    struct BulkFilters {
        /// Only operations with this status.
        one status: BulkStatus = word(BulkStatus::WORDS, BulkStatus::parse);
    }
}

/// Create a bulk operation.
///
/// Does one action on all contacts that match the filter: adds or removes a tag, sets or clears a custom field,
/// subscribes, enrolls in a sequence, starts a flow, or deletes. It runs in the background on behalf of the caller,
/// with the same events as for single contacts. The filter applies to the existing contacts; each is processed once.
/// `untag`, `delete` and `subscribe` need the scope `full`. At most three operations of a workspace can wait or run at
/// once.
#[utoipa::path(post, path = "/api/v1/contacts/bulk", tag = "Contacts", request_body = BulkBody, responses(
    (status = 202, description = "The operation.", body = BulkOperationView),
    (status = 409, description = "`audience_changed`: the filter matches `count` contacts, which differs from \
                                  `expected_count` by more than 5 %. `flow_not_active` or `sequence_not_active`: the \
                                  flow or the sequence of the action is not active.")))]
pub async fn start(cx: RequestContext) -> Result<Answer, Problem> {
    let BulkBody { filter, action, expected_count } = cx.body()?;
    cx.run_idempotent(render, async |idempotency| {
        let command = NewBulkOperation { filter, action: action.resolved(&cx).await?, expected_count };
        // Actions that cannot enlarge objects are allowed at the storage limit.
        if command.action.may_enlarge() {
            cx.make_room().await?;
        }
        cx.services().bulk.start(cx.access(), command, idempotency).await
    })
    .await
}

/// Preview a bulk operation.
///
/// Shows how many contacts the filter matches, and the outcome for some of them. Send `matched` as the `expected_count`
/// of the operation. Needs the scope of the action. Nothing is changed, so `Idempotency-Key` is ignored.
#[utoipa::path(post, path = "/api/v1/contacts/bulk/preview", tag = "Contacts", request_body = PreviewBody, responses(
    (status = 200, description = "The number of matching contacts, and a sample of them.", body = BulkPreview),
    (status = 409, description = "`flow_not_active` or `sequence_not_active`: the flow or the sequence of the action \
                                  is not active.")))]
pub async fn preview(cx: RequestContext) -> Result<Answer, Problem> {
    let PreviewBody { filter, action } = cx.body()?;
    let action = match action {
        Some(action) => Some(action.resolved(&cx).await?),
        None => None,
    };
    Ok(Answer::json(&cx.services().bulk.preview(cx.access(), &filter, action.as_ref()).await?))
}

/// List bulk operations.
///
/// Returns the progress of each operation. Finished operations stay for 30 days, but only the last 100 operations are
/// kept.
#[utoipa::path(get, path = "/api/v1/contacts/bulk", tag = "Contacts", params(BulkFilters, PageParams),
    responses((status = 200, description = "A page of operations.", body = List<BulkOperationView>)))]
pub async fn list(cx: RequestContext) -> Result<Answer, Problem> {
    let (mut query, paging) = cx.list_query::<PageParams>();
    let BulkFilters { status } = query.read();
    query.finish()?;
    let page = cx.services().bulk.list(cx.access(), status, paging.request).await?;
    Ok(cx.page(&paging, page, |operation| BulkOperationView::from(operation)))
}

/// Get a bulk operation.
///
/// The counts change while contacts are processed.
#[utoipa::path(get, path = "/api/v1/contacts/bulk/{id}", tag = "Contacts",
    responses((status = 200, description = "The operation.", body = BulkOperationView)))]
pub async fn get(cx: RequestContext) -> Result<Answer, Problem> {
    Ok(show(&cx.services().bulk.get(cx.access(), cx.path_parameter(&BULK_OPERATION)?).await?))
}

/// Cancel a bulk operation.
///
/// Finished changes stay, and the rest is not done. An operation that has ended stays unchanged.
#[utoipa::path(post, path = "/api/v1/contacts/bulk/{id}/cancel", tag = "Contacts",
    responses((status = 200, description = "The operation.", body = BulkOperationView)))]
pub async fn cancel(cx: RequestContext) -> Result<Answer, Problem> {
    let operation = cx.path_parameter(&BULK_OPERATION)?;
    cx.run_idempotent(render, async |idempotency| cx.services().bulk.cancel(cx.access(), operation, idempotency).await)
        .await
}

/// Reads a condition or a segment. The domain checks the condition, as it knows the fields of the workspace.
fn filter() -> impl Read<Audience> + Describe {
    described(|input: Input<'_>| Audience::parse(input), Described::named::<Audience>)
}

fn show(operation: &BulkOperation) -> Answer {
    Answer::object(&BulkOperationView::from(operation), operation.version)
}

fn render(done: &Done<BulkOperation>) -> Answer {
    let answer = show(&done.value).outcome(done.outcome);
    match done.outcome {
        Outcome::Created | Outcome::Accepted => answer.located(format!("/api/v1/contacts/bulk/{}", done.value.id)),
        Outcome::Changed | Outcome::Unchanged => answer,
    }
}
