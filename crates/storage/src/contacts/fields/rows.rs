//! Rows of custom fields and bot fields.

use diesel::prelude::*;
use tidings_domain::fields::{BotField, CustomField, FieldKind};

use crate::connection::faults::Fault;
use crate::queries::rows::{json, to_json, word};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{bot_fields, custom_fields};
use crate::write::declared::Tabled;

crate::write::write_texts! {
    FieldRow: crate::write::Shape::of("custom_fields"),
    BotFieldRow: crate::write::Shape::of("bot_fields"),
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = custom_fields)]
    pub(crate) struct FieldRow in custom_fields {
        workspace_id: DbId,
        id: DbId,
        key: String,
        name: String,
        kind: String,
        options: String,
        rules: String,
        created_at: DbTime,
        updated_at: DbTime,
        version: i64,
        /// Written only by a separate change.
        #[diesel(skip_update)]
        retired: Option<String> = kept,
    }
}

/// Encodes a list of options. An empty list becomes `None`.
pub(super) fn options_text(options: &[String]) -> Result<Option<String>, Fault> {
    if options.is_empty() { Ok(None) } else { to_json(&options).map(Some) }
}

/// Decodes the result of [`options_text`].
pub(crate) fn options_of(text: Option<&str>) -> Result<Vec<String>, Fault> {
    text.map_or(Ok(Vec::new()), |text| json(text, "options"))
}

impl Tabled for CustomField {
    type Row = FieldRow;

    fn row(workspace_id: DbId, it: &Self) -> Result<FieldRow, Fault> {
        Ok(FieldRow {
            workspace_id,
            id: it.id.into(),
            key: it.key.clone(),
            name: it.name.clone(),
            kind: it.kind.as_str().to_owned(),
            options: to_json(&it.options)?,
            rules: to_json(&it.rules)?,
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
            retired: options_text(&it.retired)?,
        })
    }
}

impl FieldRow {
    pub(crate) fn read(self) -> Result<CustomField, Fault> {
        Ok(CustomField {
            id: self.id.to_typed_id(),
            key: self.key,
            name: self.name,
            kind: word(&self.kind, "field type", FieldKind::parse)?,
            options: json(&self.options, "options")?,
            rules: json(&self.rules, "rules")?,
            retired: options_of(self.retired.as_deref())?,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = bot_fields)]
    pub(crate) struct BotFieldRow in bot_fields {
        workspace_id: DbId,
        id: DbId,
        key: String,
        name: String,
        kind: String,
        value: Option<String>,
        created_at: DbTime,
        updated_at: DbTime,
        version: i64,
    }
}

impl Tabled for BotField {
    type Row = BotFieldRow;

    fn row(workspace_id: DbId, it: &Self) -> Result<BotFieldRow, Fault> {
        Ok(BotFieldRow {
            workspace_id,
            id: it.id.into(),
            key: it.key.clone(),
            name: it.name.clone(),
            kind: it.kind.as_str().to_owned(),
            value: it.value.as_ref().map(to_json).transpose()?,
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
        })
    }
}

impl BotFieldRow {
    pub(crate) fn read(self) -> Result<BotField, Fault> {
        Ok(BotField {
            id: self.id.to_typed_id(),
            key: self.key,
            name: self.name,
            kind: word(&self.kind, "field type", FieldKind::parse)?,
            value: self.value.map(|value| json(&value, "a bot field's value")).transpose()?,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}
