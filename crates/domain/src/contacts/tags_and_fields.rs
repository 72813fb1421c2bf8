//! Tags and custom field values of a request, resolved against the workspace.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{AppliedTag, Contact, MAX_TAGS, NewTag, TagRef};
use crate::access::Access;
use crate::error::{Error, Violation};
use crate::fields::{CustomField, FieldValue};
use crate::ids::{ContactId, TagId};
use crate::ports::{Change, ChangeSet, Counted, FieldChange, Guard, Object, Row, StoreError, TagChange, TagQueries};
use crate::stored::{StoredId, StoredKind, StoredRow};
use crate::tags::Tag;
use crate::text::{fold, nearest};
use crate::time::Timestamp;

/// Resolved tags and values.
pub(super) struct ResolvedTagsAndFields {
    /// The tags without duplicates, and whether each must be created.
    tags: Vec<(Tag, bool)>,
    /// The fields, with their new values, if any.
    values: Vec<(CustomField, Option<FieldValue>)>,
}

/// Returns the existing tags that the request names.
pub(super) async fn known_tags(
    tags: &dyn TagQueries,
    access: &Access,
    named: &[NewTag],
) -> Result<Vec<Tag>, StoreError> {
    let ids: Vec<TagId> =
        named.iter().filter_map(|it| if let TagRef::Id(id) = it.tag { Some(id) } else { None }).collect();
    let names: Vec<String> =
        named.iter().filter_map(|it| if let TagRef::Name(name) = &it.tag { Some(fold(name)) } else { None }).collect();
    let mut known = if ids.is_empty() { Vec::new() } else { tags.by_ids(access, &ids).await? };
    if !names.is_empty() {
        known.extend(tags.by_name_keys(access, &names).await?);
    }
    Ok(known)
}

impl ResolvedTagsAndFields {
    /// Resolves the tags and values of a request.
    ///
    /// # Errors
    /// [`Error::Invalid`] with all unknown IDs, unknown fields and invalid values.
    pub(super) fn resolve(
        named: &[NewTag],
        known: &[Tag],
        values: &BTreeMap<String, Value>,
        fields: Vec<CustomField>,
        mut next_id: impl FnMut() -> TagId,
        now: Timestamp,
    ) -> Result<Self, Error> {
        let mut violations = Vec::new();
        let mut tags: Vec<(Tag, bool)> = Vec::new();
        for NewTag { tag, pointer } in named {
            let found = match tag {
                TagRef::Id(id) => known.iter().find(|known| known.id == *id).cloned().map(|tag| (tag, false)),
                TagRef::Name(name) => {
                    let key = fold(name);
                    let found = known.iter().find(|known| known.name_key() == key).cloned().map(|tag| (tag, false));
                    let made = || tags.iter().find(|(made, _)| made.name_key() == key).cloned();
                    found.or_else(made).or_else(|| Some((Tag::new(next_id(), name, now), true)))
                }
            };
            match found {
                Some(tag) if tags.iter().any(|(taken, _)| taken.id == tag.0.id) => {}
                Some(tag) => tags.push(tag),
                None => violations.push(Violation::new(pointer, "unknown_tag", "no tag in this workspace has this ID")),
            }
        }
        let mut resolved = Vec::new();
        for (key, value) in values {
            let pointer = format!("/custom_fields/{}", key.replace('~', "~0").replace('/', "~1"));
            let Some(field) = fields.iter().find(|field| field.key == *key) else {
                let near = nearest(key, fields.iter().map(|field| field.key.as_str()));
                let hint = match near.is_empty() {
                    true => "; create the field first, or use the key of an existing field".to_owned(),
                    false => format!("; did you mean `{}`?", near.join("` or `")),
                };
                violations.push(Violation::new(
                    pointer,
                    "unknown_field",
                    format!("no custom field has this key{hint}"),
                ));
                continue;
            };
            match Some(value).filter(|value| !value.is_null()).map(|value| field.check(value)).transpose() {
                Ok(value) => resolved.push((field.clone(), value)),
                Err(wrong) => violations.push(Violation::new(pointer, wrong.code, wrong.message)),
            }
        }
        if violations.is_empty() { Ok(Self { tags, values: resolved }) } else { Err(Error::Invalid(violations)) }
    }

    pub(super) fn has_tag(&self, tag: TagId) -> bool {
        self.tags.iter().any(|(named, _)| named.id == tag)
    }

    /// Removes the tags that the contact already has from the list.
    ///
    /// # Errors
    /// [`Error::Full`] if the contact would have too many tags.
    pub(super) fn add_to(&mut self, contact: &Contact) -> Result<(), Error> {
        self.tags.retain(|(tag, _)| !contact.has_tag(tag.id));
        let fits = self.tags.is_empty() || (contact.tags.len() + self.tags.len()) as i64 <= MAX_TAGS;
        if fits { Ok(()) } else { Err(Error::Full { what: "tags on a contact", most: MAX_TAGS }) }
    }

    /// Adds guards and new tags to the set, before the change of the contact.
    pub(super) fn prepare(&self, set: &mut ChangeSet) {
        let made = self.tags.iter().filter(|(_, new)| *new).count() as i64;
        if made > 0 {
            set.guard(Guard::Room {
                what: Counted::Stored(StoredKind::Tag),
                adding: made,
                most: StoredKind::Tag.limit(),
            });
        }
        for (tag, new) in &self.tags {
            if *new {
                set.change(Change::Insert(Row::Stored(StoredRow::Tag(tag.clone()))));
            } else {
                set.guard(Guard::Live(Object::Stored(StoredId::Tag(tag.id))));
            }
        }
        for (field, _) in &self.values {
            set.guard(field.field_guard());
        }
    }

    /// Adds the links of the tags to the set, after the change of the contact.
    pub(super) fn link_tags(&self, set: &mut ChangeSet, contact: ContactId, now: Timestamp) {
        for (tag, _) in &self.tags {
            set.change(Change::Tag(TagChange::Link { contact, tag: tag.id, at: now }));
        }
    }

    /// Adds the links and values of a new contact to the set, after its insertion.
    pub(super) fn attach(&self, set: &mut ChangeSet, contact: ContactId, now: Timestamp) {
        self.link_tags(set, contact, now);
        for (field, value) in &self.values {
            if let Some(value) = value {
                set.change(Change::Field(FieldChange::PutValue { contact, field: field.id, value: value.clone() }));
            }
        }
    }

    /// The tags as links of the contact.
    pub(super) fn links(&self, now: Timestamp) -> Vec<AppliedTag> {
        self.tags.iter().map(|(tag, _)| AppliedTag { id: tag.id, name: tag.name.clone(), applied_at: now }).collect()
    }

    pub(super) fn values(&self) -> BTreeMap<String, Value> {
        let set =
            self.values.iter().filter_map(|(field, value)| Some((field.key.clone(), value.as_ref()?.json.clone())));
        set.collect()
    }

    /// The fields that change the contact's values.
    pub(super) fn changed_fields(&self, before: &Contact) -> Vec<&CustomField> {
        let differs = |(field, value): &&(CustomField, Option<FieldValue>)| {
            before.custom_fields.get(&field.key) != value.as_ref().map(|value| &value.json)
        };
        self.values.iter().filter(differs).map(|(field, _)| field).collect()
    }

    pub(super) fn apply_values(&self, contact: &mut Contact) {
        for (field, value) in &self.values {
            match value {
                Some(value) => contact.custom_fields.insert(field.key.clone(), value.json.clone()),
                None => contact.custom_fields.remove(&field.key),
            };
        }
    }

    pub(super) fn put_values(&self, set: &mut ChangeSet, before: &Contact) {
        let changed: Vec<_> = self.changed_fields(before).iter().map(|field| field.id).collect();
        for (field, value) in self.values.iter().filter(|(field, _)| changed.contains(&field.id)) {
            set.change(match value {
                Some(value) => {
                    Change::Field(FieldChange::PutValue { contact: before.id, field: field.id, value: value.clone() })
                }
                None => Change::Field(FieldChange::ClearValue { contact: before.id, field: field.id }),
            });
        }
    }
}
