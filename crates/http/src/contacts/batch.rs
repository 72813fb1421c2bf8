//! `POST /contacts/batch`: creates, updates and deletes several contacts with one request.

use futures::future::ready;
use futures::{StreamExt, stream};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tidings_domain::access::Scope;
use tidings_domain::contacts::{Contact, ContactKey, ContactPatch, ContactRef, ContactView};
use tidings_domain::ids::ContactId;
use tidings_domain::outcome::{Done, ExpectedVersion};
use tidings_domain::read::{list, nested};
use tidings_domain::{Error, body};

use super::body::{CreateContact, CreateParams, UpdateContact};
use super::opt_in_request::OptInRequest;
use super::{reference, show};
use crate::request::RequestContext;
use crate::response::answer::Answer;
use crate::response::problem::Problem;

/// The maximum number of operations.
const MOST: usize = 100;
/// Maximum size of all contacts and problem documents in a response, in bytes. Contacts beyond it are left out: a
/// contact can have more than a megabyte.
const MAX_RESPONSE: usize = 16 * 1024 * 1024;
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

/// The result of an operation: the response that a single request would have returned, within 16 MiB for all contacts.
#[derive(Serialize, utoipa::ToSchema)]
struct BatchOutcome {
    /// HTTP status of the result.
    status: u16,
    /// The contact after the operation; `null` if it was deleted or omitted, or if the operation failed.
    #[schema(value_type = Option<ContactView>)]
    contact: Option<Value>,
    /// The ID and version of a contact that is omitted, because the contacts of the response have 16 MiB without it.
    /// The operation succeeded; `GET /contacts/{id}` returns the contact.
    omitted: Option<OmittedContact>,
    /// The error as a problem document, with pointers within `contact`; `null` on success.
    #[schema(value_type = Option<Object>)]
    problem: Option<Value>,
}

/// A contact that a response omits.
#[derive(Serialize, Deserialize, utoipa::ToSchema)]
struct OmittedContact {
    /// The ID of the contact.
    id: ContactId,
    /// The version of the contact after the operation.
    version: i64,
}

/// Create, update and delete contacts.
///
/// Takes up to 100 operations. If any operation is malformed, the server runs none and returns 422. Otherwise it runs
/// each operation independently, and each has its own result. With an `Idempotency-Key`, a retry returns the results of
/// finished operations and runs the rest. `delete` needs a key with the scope `full`; otherwise the whole batch fails
/// with 403. If all contacts together have more than 16 MiB, the response omits some: `omitted` has their ID and version.
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
    let mut response = BatchResponse::default();
    // Each result is added when it is complete, so results that are left out do not accumulate.
    stream::iter(all)
        .buffered(AT_ONCE)
        .for_each(|result| {
            response.add(result);
            ready(())
        })
        .await;
    let answer = Answer::json(&BatchOutcomes { outcomes: response.outcomes });
    Ok(if response.is_rendered_again { answer.rendered_again() } else { answer })
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

/// The outcomes of the first operations.
#[derive(Default)]
struct BatchResponse {
    outcomes: Vec<BatchOutcome>,
    /// The size of their contacts and problem documents in bytes.
    size: usize,
    /// Whether any of them shows the current contact instead of the first response.
    is_rendered_again: bool,
}

impl BatchResponse {
    /// Adds the result of the next operation. Its contact is left out if it exceeds the maximum size.
    fn add(&mut self, result: Result<Answer, Problem>) {
        let outcome = match result {
            Ok(answer) => {
                self.is_rendered_again |= answer.is_rendered_again();
                let status = answer.status.as_u16();
                let fits = self.size.saturating_add(answer.body.len()) <= MAX_RESPONSE;
                // A contact that was deleted since has no version, and is short.
                let omitted: Option<OmittedContact> =
                    if fits { None } else { serde_json::from_slice(&answer.body).ok() };
                if omitted.is_some() {
                    BatchOutcome { status, contact: None, omitted, problem: None }
                } else {
                    self.size = self.size.saturating_add(answer.body.len());
                    let contact = serde_json::from_slice(&answer.body).ok();
                    BatchOutcome { status, contact, omitted, problem: None }
                }
            }
            Err(problem) => {
                let body = problem.body_at("", None, None);
                self.size = self.size.saturating_add(body.len());
                let status = problem.code().status().as_u16();
                BatchOutcome { status, contact: None, omitted: None, problem: serde_json::from_str(&body).ok() }
            }
        };
        self.outcomes.push(outcome);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::response::problem::Code;

    /// Adds contacts with these sizes in bytes.
    fn add_contacts(response: &mut BatchResponse, sizes: &[usize]) {
        for (number, size) in sizes.iter().enumerate() {
            let id = "contact_01h455vb4pex5vsknk084sn02q";
            let contact = json!({"id": id, "name": "x".repeat(*size), "version": number});
            response.add(Ok(Answer::object(&contact, 1)));
        }
    }

    #[test]
    fn omits_contacts_beyond_the_maximum_size() {
        let mut response = BatchResponse::default();
        let half = MAX_RESPONSE / 2;
        add_contacts(&mut response, &[half, half, 10]);
        response.add(Ok(Answer::no_content()));
        response.add(Err(Problem::new(Code::NotFound)));
        let outcomes = serde_json::to_value(&response.outcomes).unwrap();
        let id = "contact_01h455vb4pex5vsknk084sn02q";
        assert_eq!((&outcomes[0]["contact"]["version"], &outcomes[0]["omitted"]), (&json!(0), &json!(null)));
        let omitted = json!({"status": 200, "contact": null, "omitted": {"id": id, "version": 1}, "problem": null});
        assert_eq!(outcomes[1], omitted);
        assert_eq!(outcomes[2]["contact"]["version"], 2, "a small contact still fits");
        assert_eq!(outcomes[3], json!({"status": 204, "contact": null, "omitted": null, "problem": null}));
        assert_eq!((&outcomes[4]["status"], &outcomes[4]["omitted"]), (&json!(404), &json!(null)));
        assert!(outcomes.to_string().len() <= MAX_RESPONSE);
    }

    #[test]
    fn shows_that_a_contact_is_rendered_again() {
        let mut response = BatchResponse::default();
        add_contacts(&mut response, &[10]);
        assert!(!response.is_rendered_again);
        response.add(Ok(Answer::no_content().rendered_again()));
        assert!(response.is_rendered_again);
    }
}
