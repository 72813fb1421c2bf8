//! Custom fields and their values; bot fields.

use async_trait::async_trait;

use crate::access::Access;
use crate::fields::{BotField, CustomField, FieldRef, without_retired};
use crate::ids::{BotFieldId, ContactId, FieldId, WorkspaceId};
use crate::memory::{MemoryStore, State};
use crate::pagination::{Page, PageRequest};
use crate::ports::{Conflict, FieldChange, FieldQueries, Object};

use crate::memory::apply::{Applied, referenced};
use crate::memory::tables::pages::{Answer, at, of, page};

fn stale(field: FieldId) -> Conflict {
    Conflict::Stale(Object::Stored(field.into()))
}

impl State {
    pub(in crate::memory) fn change_fields(&mut self, ws: WorkspaceId, change: FieldChange) -> Applied {
        match change {
            FieldChange::PutValue { contact, field, value } => {
                referenced(self.contacts.contains_key(&(ws, contact)))?;
                self.tables.custom_fields.get(&(ws, field)).ok_or_else(|| stale(field))?;
                self.values.insert((ws, (contact, field)), value);
                Ok(())
            }
            FieldChange::ClearValue { contact, field } => {
                self.values.remove(&(ws, (contact, field)));
                Ok(())
            }
            FieldChange::RetireOptions { field, from, to, unused } => {
                let found = self.tables.custom_fields.get_mut(&(ws, field)).filter(|it| it.retired == from);
                found.map(|it| it.retired.clone_from(&to)).ok_or_else(|| stale(field))?;
                let new = |json: &serde_json::Value| {
                    json.as_str().is_some_and(|it| to.iter().any(|to| to == it) && from.iter().all(|from| from != it))
                };
                let carries = |json: &serde_json::Value| match json {
                    serde_json::Value::Array(all) => all.iter().any(new),
                    one => new(one),
                };
                let is_living = |contact| self.contacts.get(&(ws, contact)).is_some_and(|it| it.deleted_at.is_none());
                let mut values = self.values.iter().filter(|((of, (_, id)), _)| *of == ws && *id == field);
                if unused && values.any(|((_, (contact, _)), value)| is_living(*contact) && carries(&value.json)) {
                    return Err(Conflict::InUse(crate::references::Referent::Field(field)).into());
                }
                Ok(())
            }
            FieldChange::SweepValues { field, limit } => {
                let of_field = self.values.keys().filter(|(of, (_, id))| *of == ws && *id == field);
                let swept: Vec<_> = of_field.copied().collect();
                for key in swept.iter().take(limit as usize) {
                    self.values.remove(key);
                }
                Ok(())
            }
        }
    }

    /// Returns the contacts that have one of these options, with their stored values.
    pub(super) fn carrying(
        &self,
        ws: WorkspaceId,
        field: FieldId,
        options: &[String],
    ) -> Vec<(ContactId, serde_json::Value)> {
        let of_field = self.values.iter().filter(|((of, (_, id)), _)| *of == ws && *id == field);
        let carrying = of_field.filter(|(_, it)| without_retired(it.json.clone(), options).as_ref() != Some(&it.json));
        carrying.map(|((_, (contact, _)), value)| (*contact, value.json.clone())).collect()
    }
}

#[async_trait]
impl FieldQueries for MemoryStore {
    async fn get(&self, access: &Access, field: &FieldRef<FieldId>) -> Answer<Option<CustomField>> {
        let named = |it: &CustomField| match field {
            FieldRef::Id(id) => it.id == *id,
            FieldRef::Key(key) => it.key == *key,
        };
        Ok(of(&self.lock().tables.custom_fields, access.workspace(), named).pop())
    }

    async fn all(&self, access: &Access) -> Answer<Vec<CustomField>> {
        let mut fields = of(&self.lock().tables.custom_fields, access.workspace(), |_| true);
        fields.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(fields)
    }

    async fn list(&self, access: &Access, request: PageRequest) -> Answer<Page<CustomField>> {
        let fields = of(&self.lock().tables.custom_fields, access.workspace(), |_| true);
        Ok(page(fields, request, |it: &CustomField| at(it.created_at, it.id)))
    }

    async fn has_values(&self, access: &Access, field: FieldId) -> Answer<bool> {
        Ok(self.lock().values.keys().any(|(ws, (_, id))| *ws == access.workspace() && *id == field))
    }

    async fn carriers(&self, access: &Access, field: &CustomField, options: &[String], most: u64) -> Answer<u64> {
        let (state, ws) = (self.lock(), access.workspace());
        let carrying = state.carrying(ws, field.id, options);
        let living = carrying.iter().filter(|(contact, _)| {
            state.contacts.get(&(ws, *contact)).is_some_and(|contact| contact.deleted_at.is_none())
        });
        Ok(u64::try_from(living.count()).unwrap_or(u64::MAX).min(most))
    }

    async fn carrying(
        &self,
        access: &Access,
        field: &CustomField,
        options: &[String],
        after: Option<ContactId>,
        limit: u32,
    ) -> Answer<Vec<(ContactId, serde_json::Value)>> {
        let carrying = self.lock().carrying(access.workspace(), field.id, options);
        let behind = carrying.into_iter().filter(|(contact, _)| after.is_none_or(|after| *contact > after));
        Ok(behind.take(limit as usize).collect())
    }

    async fn bot(&self, access: &Access, field: &FieldRef<BotFieldId>) -> Answer<Option<BotField>> {
        let named = |it: &BotField| match field {
            FieldRef::Id(id) => it.id == *id,
            FieldRef::Key(key) => it.key == *key,
        };
        Ok(of(&self.lock().tables.bot_fields, access.workspace(), named).pop())
    }

    async fn bot_all(&self, access: &Access) -> Answer<Vec<BotField>> {
        let mut fields = of(&self.lock().tables.bot_fields, access.workspace(), |_| true);
        fields.sort_by(|a, b| a.key.cmp(&b.key));
        Ok(fields)
    }

    async fn bot_list(&self, access: &Access, request: PageRequest) -> Answer<Page<BotField>> {
        let fields = of(&self.lock().tables.bot_fields, access.workspace(), |_| true);
        Ok(page(fields, request, |it: &BotField| at(it.created_at, it.id)))
    }
}
