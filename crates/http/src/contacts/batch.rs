//! `POST /contacts/batch`: creates, updates and deletes several contacts with one request.

use futures::{StreamExt, stream};
use serde::Serialize;
use serde_json::Value;
use tidings_domain::access::Scope;
use tidings_domain::contacts::{Contact, ContactKey, ContactPatch, ContactRef, ContactView};
use tidings_domain::outcome::{Done, ExpectedVersion};
use tidings_domain::read::{list, nested};
use tidings_domain::{Error, body};

use super::body::{CreateContact, CreateParams, UpdateContact};
use super::opt_in_request::OptInRequest;
use super::{reference, show};
use crate::answer::Answer;
use crate::problem::Problem;
use crate::request::RequestContext;

/// The maximum number of operations.
const MOST: usize = 100;
/// The number of operations that run at once. They share transactions, and leave capacity for other requests.
const AT_ONCE: usize = 16;

body! {
    /// A batch of operations on contacts.
    pub(super) struct ContactBatch {
        /// The operations. They run independently, at the same time and in no order. Put an operation that depends on
        /// another into a later batch.
        required operations: Vec<BatchOperation> = list(1..=MOST, nested());
    }
}

body! {
    /// An operation on a contact.
    pub(super) enum BatchOperation by "action" {
        "create" => Create(BatchCreate),
        "update" => Update(BatchUpdate),
        "delete" => Delete(BatchDelete),
    }
}

body! {
    /// Creates a contact.
    pub(super) struct BatchCreate {
        /// As for `POST /contacts`.
        required contact: CreateContact = nested();
    }
}

body! {
    /// Updates a contact (merge).
    pub(super) struct BatchUpdate {
        /// ID of the contact, or `external_id:…`, `email:…` or `phone:…`.
        required id: ContactRef = reference();
        /// As for `PATCH /contacts/{id}`.
        required contact: UpdateContact = nested();
    }
}

body! {
    /// Deletes a contact.
    pub(super) struct BatchDelete {
        /// ID of the contact, or `external_id:…`, `email:…` or `phone:…`.
        required id: ContactRef = reference();
    }
}

/// The results, in the order of the operations.
#[derive(Serialize, utoipa::ToSchema)]
pub(super) struct BatchOutcomes {
    outcomes: Vec<BatchOutcome>,
}

/// The result of an operation: the response that a single request would have returned.
#[derive(Serialize, utoipa::ToSchema)]
struct BatchOutcome {
    /// HTTP status of the result.
    status: u16,
    /// The contact after the operation; `null` if it was deleted, or if the operation failed.
    #[schema(value_type = Option<ContactView>)]
    contact: Option<Value>,
    /// The error as a problem document, with pointers within `contact`; `null` on success.
    #[schema(value_type = Option<Object>)]
    problem: Option<Value>,
}

/// Create, update and delete contacts.
///
/// Takes up to 100 operations. If any operation is malformed, the server runs none and returns 422. Otherwise it runs
/// each operation independently, and each has its own result. With an `Idempotency-Key`, a retry returns the results of
/// finished operations and runs the rest. `delete` needs a key with the scope `full`; otherwise the whole batch fails
/// with 403.
#[utoipa::path(post, path = "/api/v1/contacts/batch", tag = "Contacts", params(CreateParams), request_body = ContactBatch,
    responses((status = 200, description = "The result of each operation.", body = BatchOutcomes)))]
pub async fn batch(cx: RequestContext) -> Result<Answer, Problem> {
    let mut query = cx.query();
    let params: CreateParams = query.read();
    let ContactBatch { operations } = cx.body_with(query)?;
    let upserts = params.upserts()?;
    let deletes = operations.iter().any(|it| matches!(it, BatchOperation::Delete(_)));
    if deletes && !cx.access().allows(Scope::Full) {
        return Err(Error::ScopeTooLow(Scope::Full).into());
    }
    cx.refuse_reused(operations.len()).await?;
    let all = operations.into_iter().enumerate().map(|(part, operation)| done(&cx, part, operation, upserts));
    let outcomes: Vec<Result<Answer, Problem>> = stream::iter(all).buffered(AT_ONCE).collect().await;
    let is_rendered = outcomes.iter().flatten().any(Answer::is_rendered_again);
    let answer = Answer::json(&BatchOutcomes { outcomes: outcomes.into_iter().map(outcome).collect() });
    Ok(if is_rendered { answer.rendered_again() } else { answer })
}

/// Runs one operation, once per idempotency key of the batch.
async fn done(
    cx: &RequestContext,
    part: usize,
    operation: BatchOperation,
    upserts: Option<Option<ContactKey>>,
) -> Result<Answer, Problem> {
    let contacts = &cx.services().contacts;
    let access = cx.access();
    match operation {
        BatchOperation::Create(BatchCreate { contact }) => {
            let (patch, tags) = contact.into_patch();
            let wishes = OptInRequest::of(&patch);
            let render = |done: &Done<Contact>| wishes.answer(done);
            cx.run_part(part, true, render, async |idempotency| match upserts {
                None => contacts.create(access, patch.into_new(tags), idempotency).await,
                Some(key) => contacts.upsert(access, patch, tags, key, idempotency).await,
            })
            .await
        }
        BatchOperation::Update(BatchUpdate { id, contact }) => {
            let (patch, any) = (ContactPatch::from(contact), ExpectedVersion::Any);
            cx.run_part(
                part,
                patch.may_enlarge(),
                // The idempotency record stores the location, to render the contact again.
                |done| show(&done.value).located(format!("/api/v1/contacts/{}", done.value.id)),
                async |idempotency| contacts.update_once(access, &id, patch, &any, idempotency).await,
            )
            .await
        }
        BatchOperation::Delete(BatchDelete { id }) => {
            let (render, any) = (|_: &Done<()>| Answer::no_content(), ExpectedVersion::Any);
            cx.run_part(part, false, render, async |idempotency| {
                contacts.delete_once(access, &id, &any, idempotency).await
            })
            .await
        }
    }
}

fn outcome(of: Result<Answer, Problem>) -> BatchOutcome {
    match of {
        Ok(answer) => BatchOutcome {
            status: answer.status.as_u16(),
            contact: serde_json::from_slice(&answer.body).ok(),
            problem: None,
        },
        Err(problem) => BatchOutcome {
            status: problem.code().status().as_u16(),
            contact: None,
            problem: serde_json::from_str(&problem.body_at("", None, None)).ok(),
        },
    }
}
