use serde::Serialize;

use super::check::{CheckedOperation, Checker};
use super::model::ContactOutcome;
use super::portion::opted_out;
use super::work::{Doer, Work};
use super::{BulkAction, BulkService};
use crate::access::Access;
use crate::contacts::{Contact, ContactService};
use crate::error::Error;
use crate::ids::ContactId;
use crate::pagination::SortedRequest;
use crate::ports::ChangeSet;
use crate::retry::{AttemptError, retry_on_conflict};
use crate::segments::Audience;
use crate::time::Timestamp;
use crate::words::words;

const SAMPLE: u32 = 5;

words! {
    /// The outcome of an operation for a contact.
    BulkOutcome {
        /// The contact would change.
        Changed = "changed",
        /// The contact needs no change.
        Unchanged = "unchanged",
        /// The contact is already enrolled, may not be enrolled again, or has a live run of the flow.
        Skipped = "skipped",
        /// The contact opted out itself, and would not be subscribed.
        StillOptedOut = "still_opted_out",
        /// The contact could not be changed.
        Failed = "failed",
    }
}

/// A contact of a preview.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BulkPreviewContact {
    /// ID of the contact.
    pub contact_id: ContactId,
    /// First and last name of the contact.
    pub name: Option<String>,
    /// The outcome for the contact; `null` without an action.
    pub outcome: Option<BulkOutcome>,
}

/// The preview of a bulk operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct BulkPreview {
    /// Number of matching contacts: the `expected_count` of the operation.
    pub matched: i64,
    /// Up to five of the newest contacts, each with the outcome.
    pub sample: Vec<BulkPreviewContact>,
}

impl From<ContactOutcome> for BulkOutcome {
    fn from(became: ContactOutcome) -> Self {
        match became {
            ContactOutcome::Changed => Self::Changed,
            ContactOutcome::Unchanged => Self::Unchanged,
            ContactOutcome::Skipped => Self::Skipped,
            ContactOutcome::StillOptedOut => Self::StillOptedOut,
            ContactOutcome::Failed => Self::Failed,
        }
    }
}

impl BulkService {
    /// Counts the contacts of an operation, and returns the outcome for a few of them. Changes nothing.
    ///
    /// # Errors
    /// As [`BulkService::start`], except those about the expected number.
    pub async fn preview(
        &self,
        access: &Access,
        filter: &Audience,
        action: Option<&BulkAction>,
    ) -> Result<BulkPreview, Error> {
        let now = self.ports.clock.now();
        let CheckedOperation { work, chosen, matched, .. } =
            Checker { ports: &self.ports, access, now }.check(filter, action, true).await?;
        let contacts = ContactService { ports: self.ports.clone() };
        let request = SortedRequest { limit: SAMPLE, ..SortedRequest::default() };
        let some = self.ports.contacts.list(access, &chosen, request).await?.items;
        let outcomes = match &work {
            Some(work) => retry_on_conflict(|| outcomes(&contacts, access, work, &some, now)).await?,
            None => vec![None; some.len()],
        };
        let shown = some.iter().zip(outcomes);
        let shown = shown.map(|(it, outcome)| BulkPreviewContact { contact_id: it.id, name: it.name(), outcome });
        Ok(BulkPreview { matched, sample: shown.collect() })
    }
}

async fn outcomes(
    service: &ContactService,
    access: &Access,
    work: &Work,
    contacts: &[Contact],
    now: Timestamp,
) -> Result<Vec<Option<BulkOutcome>>, AttemptError> {
    let by = Doer { contacts: service, access, now };
    let found = opted_out(service, access, work, contacts).await?;
    let mut outcomes = Vec::new();
    for contact in contacts {
        // The set is not committed.
        let mut set = ChangeSet::new(access.workspace());
        let among = found.as_ref().map(|found| &found.marks);
        outcomes.push(Some(work.apply(&by, contact.clone(), among, &mut set).await?.into()));
    }
    Ok(outcomes)
}
