//! `POST /contacts/{id}/merge`: two contacts are one person.

use tidings_domain::body;
use tidings_domain::contacts::{Contact, ContactRef, ContactView};
use tidings_domain::outcome::Done;

use crate::answer::Answer;
use crate::contacts::{reference, show};
use crate::path::CONTACT;
use crate::problem::Problem;
use crate::request::Cx;

body! {
    /// Into whom a contact is merged.
    pub(crate) struct MergeContact {
        /// The contact that stays: its id, or `external_id:…`, `email:…` or `phone:…`.
        required into: ContactRef = reference();
    }
}

/// Merges a contact into another, which stays.
///
/// The contact of the path goes into the one that `into` names. That one keeps what it has, and gets what it lacks:
/// attributes, values, tags, identifiers and addresses; what one of the two refused is refused. Runs and enrollments of the
/// other one end; its conversations, messages, events, runs and enrollments move in the background. From then on its id
/// shows the contact that stays, and everything else is refused for it as `contact_merged`.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/merge", tag = "Contacts", request_body = MergeContact, responses(
    (status = 200, description = "The contact that stays, afterwards.", body = ContactView),
    (status = 409, description = "`contact_merged`: one of the two was merged already; `merged_into` names where it went.")))]
pub async fn merge(cx: Cx) -> Result<Answer, Problem> {
    let MergeContact { into } = cx.body()?;
    let contact = cx.named(&CONTACT)?;
    let shown = |done: &Done<Contact>| show(&done.value);
    cx.run_idempotent(shown, async |idempotency| {
        cx.services().merges.merge(cx.access(), &contact, &into, idempotency).await
    })
    .await
}
