use super::{CustomField, FieldValue};
use crate::ids::{ContactId, FieldId};
use crate::ports::{Guard, Object, RowEffect};

/// A change to values of custom fields, or to their options.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldChange {
    /// Sets a value; [`crate::ports::Conflict::Stale`] if the field does not exist.
    PutValue {
        /// The contact.
        contact: ContactId,
        /// The field.
        field: FieldId,
        /// The value.
        value: FieldValue,
    },
    /// Clears a value, if there is one.
    ClearValue {
        /// The contact.
        contact: ContactId,
        /// The field.
        field: FieldId,
    },
    /// Replaces the list of options being removed from contacts; [`crate::ports::Conflict::Stale`] if it is not `from`.
    /// The version does not change, because the list is never shown. With `unused`, [`crate::ports::Conflict::InUse`]
    /// if a contact has an added option. No contact gets one concurrently, because setting a value guards the version
    /// of the field.
    RetireOptions {
        /// The field.
        field: FieldId,
        /// The current list.
        from: Vec<String>,
        /// The new list.
        to: Vec<String>,
        /// Whether the change fails if a contact has an added option.
        unused: bool,
    },
    /// Deletes at most `limit` values of a deleted field.
    SweepValues {
        /// The field.
        field: FieldId,
        /// Maximum number of values.
        limit: u32,
    },
}

impl FieldChange {
    /// Returns the rows that it touches.
    pub fn row_effect(&self) -> RowEffect {
        match self {
            Self::PutValue { .. } | Self::ClearValue { .. } => RowEffect::Unguarded,
            Self::RetireOptions { field, .. } => RowEffect::Object(Object::Stored((*field).into())),
            Self::SweepValues { .. } => RowEffect::Many,
        }
    }
}

impl CustomField {
    /// Returns the guard for setting a value: the field is not deleted and its options are not changed in the meantime.
    pub(crate) fn field_guard(&self) -> Guard {
        let object = Object::Stored(self.id.into());
        if self.kind.has_options() { Guard::Version(object, self.version) } else { Guard::Live(object) }
    }
}
