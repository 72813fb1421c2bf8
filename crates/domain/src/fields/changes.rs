//! What changes beside the rows of custom fields.

use super::{CustomField, FieldValue};
use crate::ids::{ContactId, FieldId};
use crate::ports::{Guard, Object, Touches};

/// A change to values of custom fields, or to their options.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldChange {
    /// Sets or replaces; [`crate::ports::Conflict::Stale`] where the workspace has no such field.
    PutValue {
        /// Whose.
        contact: ContactId,
        /// Of which field.
        field: FieldId,
        /// The value.
        value: FieldValue,
    },
    /// The contact has no value, whether it had one or not.
    ClearValue {
        /// Whose.
        contact: ContactId,
        /// Of which field.
        field: FieldId,
    },
    /// The options that are being taken off contacts become `to`; [`crate::ports::Conflict::Stale`] where they are not
    /// `from`. No new version: nothing that is shown changes by it alone. Where they are to be `unused`,
    /// [`crate::ports::Conflict::InUse`] if a contact carries one of those that come new: who sets a value guards the
    /// version of the field, so nobody sets one meanwhile.
    RetireOptions {
        /// Of which field.
        field: FieldId,
        /// What they were.
        from: Vec<String>,
        /// What they become.
        to: Vec<String>,
        /// Whether no contact may carry one that comes new.
        unused: bool,
    },
    /// Removes at most `limit` values that a deleted field left behind.
    SweepValues {
        /// Of which field.
        field: FieldId,
        /// How many.
        limit: u32,
    },
}

impl FieldChange {
    /// What it does to rows that others may hold.
    pub fn touches(&self) -> Touches {
        match self {
            Self::PutValue { .. } | Self::ClearValue { .. } => Touches::Beside,
            Self::RetireOptions { field, .. } => Touches::Object(Object::Field(*field)),
            Self::SweepValues { .. } => Touches::Many,
        }
    }
}

impl CustomField {
    /// What must hold where a value of the field is set: that it is not deleted meanwhile, nor its options changed.
    pub(crate) fn held(&self) -> Guard {
        let object = Object::Field(self.id);
        if self.kind.has_options() { Guard::Version(object, self.version) } else { Guard::Live(object) }
    }
}
