//! Use cases of custom fields.

use std::sync::Arc;

use super::pattern::compiled;
use super::{CustomField, CustomFieldPatch, FieldKind, FieldRef, NewCustomField, Rules};
use crate::access::Access;
use crate::error::{Error, Violation};
use crate::ids::{FieldId, JobId, TypedId};
use crate::outcome::{Done, Expected, Keep, kept};
use crate::pagination::{Page, PageRequest};
use crate::patch::Patch;
use crate::ports::{
    Change, ChangeSet, Clock, CommitError, Conflict, Counted, FieldQueries, Guard, Ids, Ledger, NewJob,
    ReferenceQueries, UniqueKey,
};
use crate::references::{Deletion, Referent, in_use};
use crate::settle::{commit_new, settle};
use crate::text::{is_key, key_from_name};

/// How many custom fields, and how many bot fields, a workspace has at the most.
pub(super) const MAX_FIELDS: i64 = 200;

/// Use cases of custom fields.
#[derive(Clone)]
#[allow(missing_docs, reason = "the ports that it needs")]
pub struct FieldService {
    pub fields: Arc<dyn FieldQueries>,
    pub references: Arc<dyn ReferenceQueries>,
    pub ledger: Arc<dyn Ledger>,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
}

impl FieldService {
    /// A custom field.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn get(&self, access: &Access, field: &FieldRef<FieldId>) -> Result<CustomField, Error> {
        self.fields.get(access, field).await?.ok_or(Error::NotFound)
    }

    /// The custom fields of the workspace, page by page.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list(&self, access: &Access, page: PageRequest) -> Result<Page<CustomField>, Error> {
        Ok(self.fields.list(access, page).await?)
    }

    /// All custom fields of the workspace: at most 200.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn all(&self, access: &Access) -> Result<Vec<CustomField>, Error> {
        Ok(self.fields.all(access).await?)
    }

    /// Makes a custom field.
    ///
    /// # Errors
    /// [`Error::Invalid`], [`Error::Taken`] where one has the key, [`Error::Full`], [`Error::Store`].
    pub async fn create(
        &self,
        access: &Access,
        command: NewCustomField,
        keep: Keep<'_, CustomField>,
    ) -> Result<Done<CustomField>, Error> {
        let key = chosen_key(command.key.as_deref(), &command.name)?;
        check_definition(command.kind, &command.options, &command.rules)?;
        let now = self.clock.now();
        let field = CustomField {
            id: FieldId::from_uuid(self.ids.next()),
            key,
            name: command.name.trim().to_owned(),
            kind: command.kind,
            options: command.options,
            rules: command.rules,
            created_at: now,
            updated_at: now,
            version: 1,
        };
        let done = Done::created(field.clone());
        let mut set = ChangeSet::new(access.workspace());
        set.guard(Guard::Room { what: Counted::CustomFields, adding: 1, most: MAX_FIELDS });
        set.change(Change::InsertField(field));
        set.idempotency = kept(keep, &done);
        commit_new(&*self.ledger, set).await.map_err(|error| key_taken(error, "custom field"))?;
        Ok(done)
    }

    /// Merges an update into a custom field; values that contacts already carry stay as they are.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Invalid`], [`Error::Store`].
    pub async fn update(
        &self,
        access: &Access,
        field: &FieldRef<FieldId>,
        patch: CustomFieldPatch,
        expected: &Expected,
    ) -> Result<CustomField, Error> {
        settle(|| async {
            let before = self.get(access, field).await?;
            expected.check(before.version)?;
            let mut after = before.clone();
            after.name = patch.name.as_deref().map_or(after.name, |name| name.trim().to_owned());
            after.options = patch.options.clone().unwrap_or(after.options);
            after.rules = match &patch.rules {
                Patch::Keep => after.rules,
                Patch::Clear => Rules::default(),
                Patch::Set(rules) => rules.clone(),
            };
            check_definition(after.kind, &after.options, &after.rules)?;
            if after == before {
                return Ok(before);
            }
            after.version += 1;
            after.updated_at = self.clock.now().max(before.updated_at);
            let mut set = ChangeSet::new(access.workspace());
            set.change(Change::UpdateField(after.clone()));
            self.ledger.commit(set).await?;
            Ok(after)
        })
        .await
    }

    /// Deletes a custom field: its values are gone from all contacts at once, and a job sweeps them.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::InUse`], [`Error::Store`].
    pub async fn delete(
        &self,
        access: &Access,
        field: &FieldRef<FieldId>,
        deletion: Deletion,
        expected: &Expected,
    ) -> Result<(), Error> {
        settle(|| async {
            let found = self.get(access, field).await?;
            expected.check(found.version)?;
            let now = self.clock.now();
            let mut set = ChangeSet::new(access.workspace());
            deletion.prepare(&mut set, Referent::Field(found.id), &found.name, now);
            set.change(Change::DeleteField(found.id));
            set.jobs.push(NewJob::sweep_field(JobId::from_uuid(self.ids.next()), found.id, now));
            match self.ledger.commit(set).await {
                Ok(()) => Ok(()),
                Err(error) => Err(in_use(&*self.references, access, error).await),
            }
        })
        .await
    }
}

/// The key that a field gets: the one that is asked for, or one made from its name.
pub(super) fn chosen_key(asked: Option<&str>, name: &str) -> Result<String, Error> {
    const SHAPE: &str = "a lower-case letter, then up to 35 lower-case letters, digits and underscores";
    match asked {
        Some(key) if is_key(key) => Ok(key.to_owned()),
        Some(_) => Err(Error::invalid("/key", "invalid_format", format!("expected {SHAPE}"))),
        None => key_from_name(name).ok_or_else(|| {
            Error::invalid("/key", "required", format!("no key can be made from this name; give one: {SHAPE}"))
        }),
    }
}

pub(super) fn key_taken(error: CommitError, what: &'static str) -> Error {
    match error {
        CommitError::Conflict(Conflict::Exists(UniqueKey::FieldKey | UniqueKey::BotFieldKey)) => {
            Error::Taken { what, field: "key" }
        }
        error => error.into(),
    }
}

fn check_definition(kind: FieldKind, options: &[String], rules: &Rules) -> Result<(), Error> {
    let mut violations = Vec::new();
    let mut wrong = |pointer: String, code, message: &str| violations.push(Violation::new(pointer, code, message));
    if kind.has_options() && options.is_empty() {
        wrong("/options".to_owned(), "required", "this type chooses from options: give at least one");
    }
    if !kind.has_options() && !options.is_empty() {
        wrong("/options".to_owned(), "not_allowed", "only select and multi_select have options");
    }
    for (index, option) in options.iter().enumerate() {
        if options.iter().take(index).any(|earlier| earlier == option) {
            wrong(format!("/options/{index}"), "duplicate", "this option stands here twice");
        }
        if option.chars().any(char::is_control) {
            wrong(format!("/options/{index}"), "invalid_character", "control characters are not allowed");
        }
    }
    if rules.min.zip(rules.max).is_some_and(|(min, max)| min > max) {
        wrong("/validation/max".to_owned(), "too_small", "must not be below min");
    }
    if rules.pattern.as_deref().is_some_and(|pattern| compiled(pattern).is_err()) {
        wrong("/validation/pattern".to_owned(), "invalid_format", "is not a regular expression of bounded size");
    }
    if (rules.min.is_some() || rules.max.is_some()) && kind != FieldKind::Number {
        wrong("/validation".to_owned(), "not_allowed", "min and max apply to numbers only");
    }
    if (rules.max_length.is_some() || rules.pattern.is_some()) && !matches!(kind, FieldKind::Text | FieldKind::Url) {
        wrong("/validation".to_owned(), "not_allowed", "max_length and pattern apply to text and url only");
    }
    if violations.is_empty() { Ok(()) } else { Err(Error::Invalid(violations)) }
}
