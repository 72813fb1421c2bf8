use std::sync::Arc;

use serde_json::Value;

use super::service::chosen_key;
use super::{BotField, FieldKind, FieldRef, NewBotField, Rules, check_value};
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::error::Error;
use crate::ids::{BotFieldId, TypedId};
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook};
use crate::pagination::{Page, PageRequest};
use crate::ports::{Change, ChangeSet, Ports, Row, StoreError};
use crate::references::{Deletion, Referent};
use crate::retry::{commit_outcome, retry_on_conflict};
use crate::stored::{NamedObject, StoredObject};

/// Use cases of bot fields.
#[derive(Clone)]
pub struct BotFieldService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl BotFieldService {
    /// Returns a bot field.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn get(&self, access: &Access, field: &FieldRef<BotFieldId>) -> Result<BotField, Error> {
        self.ports.fields.bot(access, field).await?.ok_or(Error::NotFound)
    }

    /// Returns a page of the bot fields of the workspace.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list(&self, access: &Access, page: PageRequest) -> Result<Page<BotField>, Error> {
        Ok(self.ports.fields.bot_list(access, page).await?)
    }

    /// Creates a bot field.
    ///
    /// # Errors
    /// [`Error::Invalid`], [`Error::Taken`] if another one has the key, [`Error::Full`], [`Error::Store`].
    pub async fn create(
        &self,
        access: &Access,
        command: NewBotField,
        idempotency: IdempotencyHook<'_, BotField>,
    ) -> Result<Done<BotField>, Error> {
        let key = chosen_key(command.key.as_deref(), &command.name)?;
        let value = checked(command.kind, &command.value)?;
        self.ports
            .edit(access)
            .create_named(idempotency, |id, now| BotField {
                name: command.name.trim().to_owned(),
                value: value.clone(),
                ..BotField::new(BotFieldId::from_uuid(id), &key, command.kind, now)
            })
            .await
    }

    /// Sets the value of a bot field; `null` clears it.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Invalid`], [`Error::Store`].
    pub async fn set(
        &self,
        access: &Access,
        field: &FieldRef<BotFieldId>,
        value: &Value,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, BotField>,
    ) -> Result<Done<BotField>, Error> {
        retry_on_conflict(|| async {
            let before = self.get(access, field).await?;
            expected.check(before.version)?;
            let value = checked(before.kind, value)?;
            let mut set = ChangeSet::new(access.workspace());
            let done = if before.value == value {
                Done::unchanged(before)
            } else {
                let mut after = BotField { value, ..before.clone() };
                after.revise(self.ports.clock.now());
                set.change(Change::Update(Row::Stored(after.clone().into())));
                let entry = AuditDraft::changed(AuditAction::BotFieldValueSet, &before, &after);
                self.ports.add_audit(entry, access, &mut set);
                Done::changed(after)
            };
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Changes the name of a bot field.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn rename(
        &self,
        access: &Access,
        field: &FieldRef<BotFieldId>,
        name: Option<&str>,
        expected: &ExpectedVersion,
    ) -> Result<BotField, Error> {
        let change = |mut after: BotField| {
            after.name = name.map_or(after.name, |name| name.trim().to_owned());
            after
        };
        self.ports.edit(access).update_named(|| self.get(access, field), expected, change).await
    }

    /// Deletes a bot field.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::InUse`], [`Error::Store`].
    pub async fn delete(
        &self,
        access: &Access,
        field: &FieldRef<BotFieldId>,
        deletion: Deletion,
        expected: &ExpectedVersion,
    ) -> Result<(), Error> {
        let prepare = |found: &BotField, set: &mut ChangeSet| {
            deletion.prepare(set, Referent::BotField(found.id), &found.name, self.ports.clock.now());
        };
        self.ports.edit(access).delete(|| self.get(access, field), expected, prepare).await
    }
}

impl NamedObject for BotField {
    const WORDS: [&'static str; 2] = ["bot field", "key"];

    async fn holder(&self, ports: &Ports, access: &Access) -> Result<Option<Self>, StoreError> {
        ports.fields.bot(access, &FieldRef::Key(self.key.clone())).await
    }
}

fn checked(kind: FieldKind, value: &Value) -> Result<Option<Value>, Error> {
    if value.is_null() {
        return Ok(None);
    }
    let checked = check_value(kind, &[], &Rules::default(), value);
    checked.map(|value| Some(value.json)).map_err(|wrong| Error::invalid("/value", wrong.code, wrong.message))
}
