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
    /// Key: `^[a-z][a-z0-9_]{0,35}$`. Unique in the workspace; never changes.
    pub key: String,
    /// Display name; 1 to 100 characters.
    pub name: String,
    /// Type of the values; never changes.
    pub kind: FieldKind,
    /// Options of `select` and `multi_select`.
    pub options: Vec<String>,
    /// Rules for values.
    pub rules: Rules,
    /// Options that are being removed from contacts. Stored values may still contain them; they are never shown.
    pub retired: Vec<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

/// A reference to a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldRef<I> {
    /// The ID.
    Id(I),
    /// The key.
    Key(String),
}

impl<I: TypedId> FieldRef<I> {
    /// Parses an ID or a key. Returns `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        text.parse().map(Self::Id).ok().or_else(|| is_key(text).then(|| Self::Key(text.to_owned())))
    }
}

/// The input for a new custom field.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCustomField {
    /// The key; derived from the name if absent.
    pub key: Option<String>,
    /// 1 to 100 characters.
    pub name: String,
    /// Type of the values.
    pub kind: FieldKind,
    /// The options.
    pub options: Vec<String>,
    /// Rules for values.
    pub rules: Rules,
}

impl NewCustomField {
    /// Creates the command for a field without options and rules. Its key is derived from the name.
    pub fn new(name: impl Into<String>, kind: FieldKind) -> Self {
        Self { key: None, name: name.into(), kind, options: Vec::new(), rules: Rules::default() }
    }
}

/// A partial update of a custom field; key and type never change.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CustomFieldPatch {
    /// 1 to 100 characters.
    pub name: Option<String>,
    /// The options.
    pub options: Option<Vec<String>>,
    /// Rules for values. Existing values are not checked again.
    pub rules: Patch<Rules>,
}

/// An attribute that a workspace defines for its contacts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = CustomField))]
#[non_exhaustive]
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
    /// Creates a field without options and rules. Its name is its key.
    pub fn new(id: FieldId, key: &str, kind: FieldKind, now: Timestamp) -> Self {
        Self {
            id,
            key: key.to_owned(),
            name: key.to_owned(),
            kind,
            options: Vec::new(),
            rules: Rules::default(),
            retired: Vec::new(),
            created_at: now,
            updated_at: now,
            version: 1,
        }
    }

    /// The key that is unique in the workspace.
    pub fn unique_key(&self) -> String {
        self.key.clone()
    }

    /// Checks a value (never `null`) and returns its normal form.
    ///
    /// # Errors
    /// The violation, with the accepted values.
    pub fn check(&self, value: &serde_json::Value) -> Result<FieldValue, InvalidValue> {
        check_value(self.kind, &self.options, &self.rules, value)
    }
}
