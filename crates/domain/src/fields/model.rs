//! What a custom field is.

use serde::Serialize;

use super::{FieldKind, FieldValue, InvalidValue, Rules, check_value};
use crate::ids::{FieldId, TypedId};
use crate::patch::Patch;
use crate::text::is_key;
use crate::time::Timestamp;

/// An attribute that a workspace defines for its contacts.
#[derive(Debug, Clone, PartialEq)]
pub struct CustomField {
    /// The ID.
    pub id: FieldId,
    /// `^[a-z][a-z0-9_]{0,35}$`; unique in the workspace, never changed.
    pub key: String,
    /// What people call it; 1 to 100 characters.
    pub name: String,
    /// Type of the values; never changes.
    pub kind: FieldKind,
    /// Options of `select` and `multi_select`.
    pub options: Vec<String>,
    /// What values must satisfy.
    pub rules: Rules,
    /// Options that are being taken off contacts: contacts may still carry them in the store, and nothing shows them.
    pub retired: Vec<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

/// How a request names a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldRef<I> {
    /// By its id.
    Id(I),
    /// By its key.
    Key(String),
}

impl<I: TypedId> FieldRef<I> {
    /// Reads an id or a key; anything else names no field.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().map(Self::Id).ok().or_else(|| is_key(text).then(|| Self::Key(text.to_owned())))
    }
}

/// A custom field to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCustomField {
    /// From the name when absent.
    pub key: Option<String>,
    /// 1 to 100 characters.
    pub name: String,
    /// Type of the values.
    pub kind: FieldKind,
    /// What to choose from.
    pub options: Vec<String>,
    /// What values must satisfy.
    pub rules: Rules,
}

/// A merging update of a custom field; key and type never change.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CustomFieldPatch {
    /// 1 to 100 characters.
    pub name: Option<String>,
    /// What to choose from.
    pub options: Option<Vec<String>>,
    /// What values must satisfy; values already given stay.
    pub rules: Patch<Rules>,
}

/// An attribute that a workspace defines for its contacts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CustomField))]
pub struct CustomFieldView {
    /// The ID.
    pub id: FieldId,
    /// Key in `custom_fields` of contacts; never changes.
    pub key: String,
    /// Display name.
    pub name: String,
    /// Type of the values; never changes.
    #[serde(rename = "type")]
    pub kind: FieldKind,
    /// Options of `select` and `multi_select`.
    pub options: Vec<String>,
    /// Rules for values, in addition to the type.
    pub validation: Rules,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl From<&CustomField> for CustomFieldView {
    fn from(it: &CustomField) -> Self {
        Self {
            id: it.id,
            key: it.key.clone(),
            name: it.name.clone(),
            kind: it.kind,
            options: it.options.clone(),
            validation: it.rules.clone(),
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}

impl CustomField {
    /// Checks a value (never `null`) and brings it to its normal form.
    ///
    /// # Errors
    /// What is wrong with it, and what would be right.
    pub fn check(&self, value: &serde_json::Value) -> Result<FieldValue, InvalidValue> {
        check_value(self.kind, &self.options, &self.rules, value)
    }
}
