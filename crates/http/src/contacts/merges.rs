//! `POST /contacts/{id}/merge`: merges two contacts of one person.

use tidings_domain::body;
use tidings_domain::contacts::{Contact, ContactRef, ContactView};
use tidings_domain::outcome::Done;

use crate::contacts::{reference, show};
use crate::request::RequestContext;
use crate::request::path::CONTACT;
use crate::response::answer::Answer;
use crate::response::problem::Problem;

body! {
    /// The target of a merge.
    pub(crate) struct MergeContact {
        /// The contact to keep: its ID, or `external_id:…`, `email:…` or `phone:…`.
        required into: ContactRef = reference();
    }
}

/// Merge a contact into another.
///
/// Merges the contact of the path into the contact `into`, which stays. `into` keeps its data and gets missing data
/// from the other: attributes, values, tags, identifiers and addresses. Opt-outs of both apply. Runs and enrollments of
/// the merged contact end. Its conversations, messages, events, runs and enrollments move in the background. From then
/// on, its ID returns the contact that stays; all other requests for it fail with `contact_merged`.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/merge", tag = "Contacts", request_body = MergeContact, responses(
    (status = 200, description = "The contact that stays.", body = ContactView),
    (status = 409, description = "`contact_merged`: one of the two contacts was already merged; see `merged_into`.")))]
pub async fn merge(cx: RequestContext) -> Result<Answer, Problem> {
    let MergeContact { into } = cx.body()?;
    let contact = cx.path_parameter(&CONTACT)?;
    let shown = |done: &Done<Contact>| show(&done.value);
    cx.run_idempotent(shown, async |idempotency| {
        cx.services().merges.merge(cx.access(), &contact, &into, idempotency).await
    })
    .await
}
