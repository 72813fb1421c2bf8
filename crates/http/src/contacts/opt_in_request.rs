//! The response to the creation of a contact, which shows whether an earlier opt-out overrides the request.

use serde::Serialize;
use tidings_domain::contacts::{Contact, ContactPatch, ContactView};
use tidings_domain::outcome::{Done, Outcome};
use utoipa::ToSchema;

use super::created_answer;
use crate::response::answer::Answer;

/// A created or updated contact.
#[derive(Serialize, ToSchema)]
pub(super) struct CreatedContact {
    #[serde(flatten)]
    view: ContactView,
    /// `true` if the contact had opted out and stays opted out, although the request asks otherwise; absent otherwise.
    /// `PATCH` with `subscribed` as `true` subscribes the contact again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    still_opted_out: bool,
}

/// The opt-ins that a creation requests.
#[derive(Debug, Clone, Copy)]
pub(super) struct OptInRequest {
    subscribed: Option<bool>,
    /// Whether the request opts the contact out of a channel.
    refuses_channels: bool,
}

impl OptInRequest {
    pub(super) fn of(patch: &ContactPatch) -> Self {
        let refuses_channels = patch.identities.iter().flatten().any(|it| it.opted_in == Some(false));
        Self { subscribed: patch.subscribed, refuses_channels }
    }

    /// Returns the contact, with `still_opted_out` if an opt-out overrides the request. The entity tag only covers the
    /// contact.
    pub(super) fn answer(self, done: &Done<Contact>) -> Answer {
        let mut answer = created_answer(done);
        if self.is_still_opted_out(done) {
            let shown = CreatedContact { view: ContactView::from(&done.value), still_opted_out: true };
            answer.body = Answer::json(&shown).body;
        }
        answer
    }

    fn is_still_opted_out(self, done: &Done<Contact>) -> bool {
        let contact = &done.value;
        match done.outcome {
            // A new contact is subscribed unless the request says otherwise.
            Outcome::Created | Outcome::Accepted => {
                let is_refused_anywhere = contact.identities.iter().any(|it| !it.opted_in);
                (self.subscribed != Some(false) && !contact.subscribed)
                    || (!self.refuses_channels && is_refused_anywhere)
            }
            Outcome::Changed | Outcome::Unchanged => self.subscribed == Some(true) && !contact.subscribed,
        }
    }
}
