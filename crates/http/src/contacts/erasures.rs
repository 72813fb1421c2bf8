//! `POST /contacts/{id}/erase`: erases the personal data of a contact.

use tidings_domain::erasures::{Erasure, ErasureView};
use tidings_domain::outcome::Done;

use crate::request::RequestContext;
use crate::request::path::CONTACT;
use crate::response::answer::Answer;
use crate::response::problem::Problem;

/// Erase a contact.
///
/// The contact disappears at once, with its addresses, tags and values. A job removes its messages, activity and event
/// data. Repeat the request to see the progress. Use the ID to erase a deleted contact. Counts in statistics stay.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/erase", tag = "Contacts", responses(
    (status = 202, description = "The erasure, which is in progress.", body = ErasureView),
    (status = 200, description = "The contact is erased.", body = ErasureView)))]
pub async fn erase(cx: RequestContext) -> Result<Answer, Problem> {
    let contact = cx.path_parameter(&CONTACT)?;
    let shown = |done: &Done<Erasure>| Answer::json(&ErasureView::from(&done.value)).outcome(done.outcome);
    cx.run_idempotent(shown, async |idempotency| cx.services().erasures.erase(cx.access(), &contact, idempotency).await)
        .await
}
