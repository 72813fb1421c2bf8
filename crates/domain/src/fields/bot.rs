use serde::Serialize;
use serde_json::Value;

use super::FieldKind;
use crate::ids::BotFieldId;
use crate::time::Timestamp;

/// A value of the workspace, such as today's opening hours.
#[derive(Debug, Clone, PartialEq)]
pub struct BotField {
    /// The ID.
    pub id: BotFieldId,
    /// Key: `^[a-z][a-z0-9_]{0,35}$`. Unique in the workspace; never changes.
    pub key: String,
    /// Display name; 1 to 100 characters.
    pub name: String,
    /// Type of the value; never changes.
    pub kind: FieldKind,
    /// The value; `None` if it is not set.
    pub value: Option<Value>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl BotField {
    /// Creates a field without a value. Its name is its key.
    pub fn new(id: BotFieldId, key: &str, kind: FieldKind, now: Timestamp) -> Self {
        let (key, name) = (key.to_owned(), key.to_owned());
        Self { id, key, name, kind, value: None, created_at: now, updated_at: now, version: 1 }
    }

    /// The key that is unique in the workspace.
    pub fn unique_key(&self) -> String {
        self.key.clone()
    }
}

/// The input for a new bot field.
#[derive(Debug, Clone, PartialEq)]
pub struct NewBotField {
    /// The key; derived from the name if absent.
    pub key: Option<String>,
    /// 1 to 100 characters.
    pub name: String,
    /// Type of the value.
    pub kind: FieldKind,
    /// The initial value, or `null`.
    pub value: Value,
}

impl NewBotField {
    /// Creates the command for a field without a value. Its key is derived from the name.
    pub fn new(name: impl Into<String>, kind: FieldKind) -> Self {
        Self { key: None, name: name.into(), kind, value: Value::Null }
    }
}

/// A value of the workspace.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = BotField))]
#[non_exhaustive]
pub struct BotFieldView {
    /// The ID.
    pub id: BotFieldId,
    /// Key for templates (`bot_fields.KEY`); never changes.
    pub key: String,
    /// Display name.
    pub name: String,
    /// Type of the value; never changes.
    #[serde(rename = "type")]
    pub kind: FieldKind,
    /// The value, or `null`.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub value: Option<Value>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl From<&BotField> for BotFieldView {
    fn from(it: &BotField) -> Self {
        Self {
            id: it.id,
            key: it.key.clone(),
            name: it.name.clone(),
            kind: it.kind,
            value: it.value.clone(),
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}
