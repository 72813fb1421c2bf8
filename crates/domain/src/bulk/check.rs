use std::sync::Arc;

use super::BulkAction;
use super::model::until;
use super::work::{UnavailableAction, Work};
use crate::access::Access;
use crate::conditions::BoundCondition;
use crate::contacts::ContactFilter;
use crate::error::{Error, Violation};
use crate::ports::Ports;
use crate::segments::{Audience, Audiences, Choice};
use crate::time::Timestamp;

pub(super) struct CheckedOperation {
    /// The bound filter.
    pub(super) filter: Audience,
    /// The condition of the filter or of its segment.
    pub(super) condition: BoundCondition,
    /// The work on each contact, if there is an action.
    pub(super) work: Option<Work>,
    pub(super) chosen: ContactFilter,
    pub(super) matched: i64,
}

pub(super) struct Checker<'a> {
    pub(super) ports: &'a Arc<Ports>,
    pub(super) access: &'a Access,
    pub(super) now: Timestamp,
}

impl Checker<'_> {
    /// Returns the contacts of a filter and the work of an action. Some operations are rejected without an expected
    /// number of contacts.
    ///
    /// # Errors
    /// [`Error::ScopeTooLow`] for the action, [`Error::Invalid`] with all violations, [`Error::FlowNotActive`],
    /// [`Error::SequenceNotActive`], [`Error::Store`].
    pub(super) async fn check(
        &self,
        filter: &Audience,
        action: Option<&BulkAction>,
        is_number_expected: bool,
    ) -> Result<CheckedOperation, Error> {
        if let Some(scope) = action.map(BulkAction::scope).filter(|scope| !self.access.allows(*scope)) {
            return Err(Error::ScopeTooLow(scope));
        }
        let mut wrong = Vec::new();
        let chosen = self.chosen(filter, &mut wrong).await?;
        let work = match action {
            Some(action) => Some(Work::load(self.ports, self.access, action).await?),
            None => None,
        };
        let mut refused = None;
        let work = match work.transpose() {
            Ok(work) => work,
            Err(why) => {
                match refusal(why) {
                    Ok(error) => refused = Some(error),
                    Err(violation) => wrong.push(violation),
                }
                None
            }
        };
        if !is_number_expected {
            if action == Some(&BulkAction::Delete) {
                let message = "is required to delete contacts: send the number of contacts that the filter matches";
                wrong.push(Violation::new("/expected_count", "required", message));
            }
            if chosen.as_ref().is_some_and(|(_, _, choice)| choice.selection.constant() == Some(true)) {
                let message = "the filter matches every contact; confirm with `expected_count`";
                wrong.push(Violation::new("/filter", "chooses_everybody", message));
            }
        }
        let (Some((filter, condition, choice)), true) = (chosen, wrong.is_empty()) else {
            return Err(Error::Invalid(wrong));
        };
        if let Some(error) = refused {
            return Err(error);
        }
        let chosen = ContactFilter {
            selection: Some(choice.selection),
            created_before: Some(until(self.now)),
            ..ContactFilter::default()
        };
        let matched = self.ports.contacts.count(self.access, &chosen, u64::MAX).await?;
        Ok(CheckedOperation { filter, condition, work, chosen, matched: i64::try_from(matched).unwrap_or(i64::MAX) })
    }

    /// Returns the bound filter, its condition and its contacts; `None` if the filter is invalid.
    async fn chosen(
        &self,
        filter: &Audience,
        wrong: &mut Vec<Violation>,
    ) -> Result<Option<(Audience, BoundCondition, Choice)>, Error> {
        let audiences = Audiences { ports: self.ports.clone() };
        let filter = match audiences.bind_audience(self.access, filter, "/filter").await? {
            Ok(filter) => filter,
            Err(violations) => {
                wrong.extend(violations);
                return Ok(None);
            }
        };
        let Some(condition) = audiences.condition(self.access, &filter).await? else { return Ok(None) };
        Ok(match audiences.choice(self.access, &condition, self.now).await? {
            Ok(choice) => Some((filter, condition, choice)),
            Err(violations) => {
                wrong.extend(violations.into_iter().map(|it| filter_violation(&filter, it)));
                None
            }
        })
    }
}

/// Returns why an action is rejected: an error for the status of an object, otherwise a violation.
fn refusal(why: UnavailableAction) -> Result<Error, Violation> {
    let violation = |pointer: &str, code, message: &str| Err(Violation::new(pointer, code, message));
    match why {
        UnavailableAction::Tag => violation("/action/tag_id", "unknown_tag", "no tag in this workspace has this ID"),
        UnavailableAction::Field => violation("/action/field", "unknown_field", "no custom field has this key"),
        UnavailableAction::Value(wrong) => Err(Violation::new("/action/value", wrong.code, wrong.message)),
        UnavailableAction::Sequence => {
            violation("/action/sequence_id", "unknown_sequence", "no sequence in this workspace has this ID")
        }
        UnavailableAction::Flow => {
            violation("/action/flow_id", "unknown_flow", "no flow in this workspace has this ID")
        }
        UnavailableAction::SequenceNotActive => Ok(Error::SequenceNotActive),
        UnavailableAction::FlowNotActive => Ok(Error::FlowNotActive),
    }
}

/// Returns the violation to report for the condition of a filter. Violations in a segment are reported at the segment.
fn filter_violation(filter: &Audience, violation: Violation) -> Violation {
    match filter {
        Audience::Condition(_) => violation.under("/filter"),
        Audience::Segment(_) => {
            let message = "the condition of the segment refers to a deleted object; update the segment";
            Violation::new("/filter/segment_id", "lost_reference", message)
        }
    }
}
