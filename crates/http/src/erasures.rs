//! `POST /contacts/{id}/erase`: a person is forgotten.

use tidings_domain::erasures::{Erasure, ErasureView};
use tidings_domain::outcome::Done;

use crate::answer::Answer;
use crate::path::CONTACT;
use crate::problem::Problem;
use crate::request::Cx;

/// Erases a contact for good.
///
/// The contact is gone at once, with its addresses, tags and values; a job removes what was said and done, and what events
/// told of it. Asked again it tells how far that is. A deleted contact, named by its id, is erased, too. What was counted stays.
#[utoipa::path(post, path = "/api/v1/contacts/{id}/erase", tag = "Contacts", responses(
    (status = 202, description = "The erasing, which has begun or goes on.", body = ErasureView),
    (status = 200, description = "Nothing is left of the contact.", body = ErasureView)))]
pub async fn erase(cx: Cx) -> Result<Answer, Problem> {
    let contact = cx.named(&CONTACT)?;
    let shown = |done: &Done<Erasure>| Answer::json(&ErasureView::from(&done.value)).outcome(done.outcome);
    cx.run_idempotent(shown, async |idempotency| cx.services().erasures.erase(cx.access(), &contact, idempotency).await)
        .await
}
