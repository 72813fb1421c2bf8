use std::sync::Arc;

use serde_json::Value;

use super::service::{MAX_FIELDS, chosen_key, key_taken};
use super::{BotField, FieldKind, FieldRef, NewBotField, Rules, check_value};
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::error::Error;
use crate::ids::{BotFieldId, TypedId};
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook, record_of};
use crate::pagination::{Page, PageRequest};
use crate::ports::{Change, ChangeSet, CommitError, Conflict, Counted, Guard, Object, Ports, Row, UniqueKey};
use crate::references::{Deletion, Referent, in_use};
use crate::retry::retry_on_conflict;

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
        let now = self.ports.clock.now();
        let field = BotField {
            id: BotFieldId::from_uuid(self.ports.ids.next()),
            key: key.clone(),
            name: command.name.trim().to_owned(),
            kind: command.kind,
            value: checked(command.kind, &command.value)?,
            created_at: now,
            updated_at: now,
            version: 1,
        };
        let done = Done::created(field.clone());
        let mut set = ChangeSet::new(access.workspace());
        set.guard(Guard::Room { what: Counted::BotFields, adding: 1, most: MAX_FIELDS });
        self.ports.add_audit(AuditDraft::created(AuditAction::BotFieldCreated, &field), access, &mut set);
        set.change(Change::Insert(Row::BotField(field)));
        set.idempotency = record_of(idempotency, &done);
        retry_on_conflict(|| async {
            match self.ports.ledger.commit(set.clone()).await {
                Ok(()) => Ok(done.clone()),
                Err(CommitError::Conflict(Conflict::Exists(UniqueKey::BotFieldKey))) => {
                    let holder = self.ports.fields.bot(access, &FieldRef::Key(key.clone())).await?;
                    Err(key_taken("bot field", holder.map(|it| it.id.to_string())))
                }
                Err(error) => Err(error.into()),
            }
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
                let updated_at = self.ports.clock.now().max(before.updated_at);
                let after = BotField { value, updated_at, version: before.version + 1, ..before.clone() };
                set.change(Change::Update(Row::BotField(after.clone())));
                self.ports.add_audit(
                    AuditDraft::changed(AuditAction::BotFieldValueSet, &before, &after),
                    access,
                    &mut set,
                );
                Done::changed(after)
            };
            set.idempotency = record_of(idempotency, &done);
            if !set.is_empty() {
                self.ports.ledger.commit(set).await?;
            }
            Ok(done)
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
        retry_on_conflict(|| async {
            let before = self.get(access, field).await?;
            expected.check(before.version)?;
            let name = name.map_or_else(|| before.name.clone(), |name| name.trim().to_owned());
            if name == before.name {
                return Ok(before);
            }
            let updated_at = self.ports.clock.now().max(before.updated_at);
            let after = BotField { name, updated_at, version: before.version + 1, ..before.clone() };
            let mut set = ChangeSet::new(access.workspace());
            set.change(Change::Update(Row::BotField(after.clone())));
            self.ports.add_audit(AuditDraft::changed(AuditAction::BotFieldUpdated, &before, &after), access, &mut set);
            self.ports.ledger.commit(set).await?;
            Ok(after)
        })
        .await
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
        retry_on_conflict(|| async {
            let found = self.get(access, field).await?;
            expected.check(found.version)?;
            let mut set = ChangeSet::new(access.workspace());
            deletion.prepare(&mut set, Referent::BotField(found.id), &found.name, self.ports.clock.now());
            set.change(Change::Delete(Object::BotField(found.id)));
            self.ports.add_audit(AuditDraft::deleted(AuditAction::BotFieldDeleted, &found), access, &mut set);
            match self.ports.ledger.commit(set).await {
                Ok(()) => Ok(()),
                Err(error) => Err(in_use(&*self.ports.references, access, error).await),
            }
        })
        .await
    }
}

fn checked(kind: FieldKind, value: &Value) -> Result<Option<Value>, Error> {
    if value.is_null() {
        return Ok(None);
    }
    let checked = check_value(kind, &[], &Rules::default(), value);
    checked.map(|value| Some(value.json)).map_err(|wrong| Error::invalid("/value", wrong.code, wrong.message))
}
