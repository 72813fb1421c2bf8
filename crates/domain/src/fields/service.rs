use std::sync::Arc;

use serde_json::Value;

use super::options::names_option;
use super::pattern::compiled;
use super::{CustomField, CustomFieldPatch, FieldKind, FieldRef, NewCustomField, Rules};
use crate::access::Access;
use crate::audit::{AuditAction, AuditDraft};
use crate::error::{Error, Violation};
use crate::ids::{FieldId, JobId, TypedId};
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook};
use crate::pagination::{Page, PageRequest, Total};
use crate::patch::Patch;
use crate::ports::{Change, ChangeSet, CommitError, Conflict, FieldChange, Job, NewJob, Ports, Row, StoreError};
use crate::references::{Deletion, Dependent, Referent, Referrer};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::sequences::SequenceView;
use crate::stored::{NamedObject, StoredId, StoredObject};
use crate::text::{is_key, key_from_name};

/// Use cases of custom fields.
#[derive(Clone)]
pub struct FieldService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl FieldService {
    /// Returns a custom field.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn get(&self, access: &Access, field: &FieldRef<FieldId>) -> Result<CustomField, Error> {
        self.ports.fields.get(access, field).await?.ok_or(Error::NotFound)
    }

    /// Returns a page of the custom fields of the workspace.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list(&self, access: &Access, page: PageRequest) -> Result<Page<CustomField>, Error> {
        Ok(self.ports.fields.list(access, page).await?)
    }

    /// Returns all custom fields of the workspace, at most 200.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn all(&self, access: &Access) -> Result<Vec<CustomField>, Error> {
        Ok(self.ports.fields.all(access).await?)
    }

    /// Creates a custom field.
    ///
    /// # Errors
    /// [`Error::Invalid`], [`Error::Taken`] if another one has the key, [`Error::Full`], [`Error::Store`].
    pub async fn create(
        &self,
        access: &Access,
        command: NewCustomField,
        idempotency: IdempotencyHook<'_, CustomField>,
    ) -> Result<Done<CustomField>, Error> {
        let key = chosen_key(command.key.as_deref(), &command.name)?;
        check_definition(command.kind, &command.options, &command.rules)?;
        self.ports
            .edit(access)
            .create_named(idempotency, |id, now| CustomField {
                name: command.name.trim().to_owned(),
                options: command.options.clone(),
                rules: command.rules.clone(),
                ..CustomField::new(FieldId::from_uuid(id), &key, command.kind, now)
            })
            .await
    }

    /// Updates a custom field. Removed options are hidden immediately, and a job removes them from contacts. Other
    /// values do not change.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Invalid`], [`Error::OptionsInUse`] unless `removal`
    /// is forced, [`Error::Store`].
    pub async fn update(
        &self,
        access: &Access,
        field: &FieldRef<FieldId>,
        patch: CustomFieldPatch,
        removal: Deletion,
        expected: &ExpectedVersion,
    ) -> Result<CustomField, Error> {
        retry_on_conflict(|| async {
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
            still_going(&before, &after.options)?;
            if after == before {
                return Ok(before);
            }
            let now = self.ports.clock.now();
            let removed = before.options.iter().filter(|option| !after.options.contains(option));
            let removed: Vec<String> = removed.cloned().collect();
            let mut set = ChangeSet::new(access.workspace());
            if !removed.is_empty() {
                if removal == Deletion::IfUnused {
                    self.unused(access, &before, &removed).await?;
                }
                after.retired.extend(removed);
                let (from, to) = (before.retired.clone(), after.retired.clone());
                let unused = removal == Deletion::IfUnused;
                set.change(Change::Field(FieldChange::RetireOptions { field: after.id, from, to, unused }));
                let removal = Job::TakeOptionsOff { field: after.id };
                set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), removal, now));
            }
            after.revise(now);
            set.change(Change::Update(Row::Stored(after.clone().into())));
            self.ports.add_audit(AuditDraft::changed(AuditAction::FieldUpdated, &before, &after), access, &mut set);
            match self.ports.ledger.commit(set).await {
                Ok(()) => Ok(after),
                // A contact got one of the options since the check. The retry reports it.
                Err(CommitError::Conflict(Conflict::InUse(_))) => Err(AttemptError::Retry),
                Err(error) => Err(error.into()),
            }
        })
        .await
    }

    /// Checks that no contact has these options, and that no object that refers to the field names them.
    async fn unused(&self, access: &Access, field: &CustomField, options: &[String]) -> Result<(), Error> {
        let carriers = self.ports.fields.carriers(access, field, options, Total::MOST + 1).await?;
        let named_by = self.ports.references.dependents(access, Referent::Field(field.id)).await?;
        let mut dependents = Vec::new();
        for dependent in named_by {
            let definition = self.definition(access, &dependent).await?;
            if options.iter().any(|option| names_option(&definition, &field.key, option)) {
                dependents.push(dependent);
            }
        }
        match carriers {
            0 if dependents.is_empty() => Ok(()),
            carriers => Err(Error::OptionsInUse { contacts: Total::of(carriers), dependents }),
        }
    }

    /// Returns the definition of an object that refers to the field.
    async fn definition(&self, access: &Access, dependent: &Dependent) -> Result<Value, Error> {
        Ok(match dependent.owner {
            Referrer::Flow(id) => match self.ports.flows.get(access, id).await?.and_then(|flow| flow.version_published)
            {
                Some(number) => self.ports.flows.version(access, id, number).await?.map(|it| it.definition),
                None => None,
            },
            Referrer::FlowDraft(id) => self.ports.flows.get(access, id).await?.map(|flow| flow.definition),
            Referrer::Sequence(id) => {
                let sequence = self.ports.sequences.get(access, id).await?;
                sequence.and_then(|it| serde_json::to_value(SequenceView::from(&it)).ok())
            }
            Referrer::Broadcast(id) => {
                self.ports.broadcasts.get(access, id).await?.map(|broadcast| broadcast.audience.source_json())
            }
            Referrer::Stored(StoredId::Segment(id)) => {
                self.ports.segments.get(access, id).await?.map(|segment| segment.condition.source_json().clone())
            }
            // Other simple objects refer to files only.
            Referrer::Stored(_) => None,
        }
        .unwrap_or_default())
    }

    /// Deletes a custom field. Its values are hidden immediately, and a job deletes them.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::InUse`], [`Error::Store`].
    pub async fn delete(
        &self,
        access: &Access,
        field: &FieldRef<FieldId>,
        deletion: Deletion,
        expected: &ExpectedVersion,
    ) -> Result<(), Error> {
        let prepare = |found: &CustomField, set: &mut ChangeSet| {
            let now = self.ports.clock.now();
            deletion.prepare(set, Referent::Field(found.id), &found.name, now);
            let sweep = Job::SweepField { field: found.id };
            set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), sweep, now));
        };
        self.ports.edit(access).delete(|| self.get(access, field), expected, prepare).await
    }
}

impl NamedObject for CustomField {
    const WORDS: [&'static str; 2] = ["custom field", "key"];

    async fn holder(&self, ports: &Ports, access: &Access) -> Result<Option<Self>, StoreError> {
        ports.fields.get(access, &FieldRef::Key(self.key.clone())).await
    }
}

/// Rejects an option that is still being removed: contacts that had it would get it back.
fn still_going(field: &CustomField, options: &[String]) -> Result<(), Error> {
    match options.iter().position(|option| field.retired.contains(option)) {
        None => Ok(()),
        Some(place) => Err(Error::invalid(
            format!("/options/{place}"),
            "being_removed",
            "this option was removed, and a job is still deleting it from contacts; retry later",
        )),
    }
}

/// Returns the key of a new field: the requested one, or one derived from the name.
pub(super) fn chosen_key(asked: Option<&str>, name: &str) -> Result<String, Error> {
    const SHAPE: &str = "a lower-case letter, then up to 35 lower-case letters, digits and underscores";
    match asked {
        Some(key) if is_key(key) => Ok(key.to_owned()),
        Some(_) => Err(Error::invalid("/key", "invalid_format", format!("expected {SHAPE}"))),
        None => key_from_name(name).ok_or_else(|| {
            Error::invalid("/key", "required", format!("no key can be derived from this name; set a key: {SHAPE}"))
        }),
    }
}

fn check_definition(kind: FieldKind, options: &[String], rules: &Rules) -> Result<(), Error> {
    let mut violations = Vec::new();
    let mut wrong = |pointer: String, code, message: &str| violations.push(Violation::new(pointer, code, message));
    if kind.has_options() && options.is_empty() {
        wrong("/options".to_owned(), "required", "this type requires at least one option");
    }
    if !kind.has_options() && !options.is_empty() {
        wrong("/options".to_owned(), "not_allowed", "only the types `select` and `multi_select` have options");
    }
    for (index, option) in options.iter().enumerate() {
        if options.iter().take(index).any(|earlier| earlier == option) {
            wrong(format!("/options/{index}"), "duplicate", "this option is listed twice");
        }
        if option.chars().any(char::is_control) {
            wrong(format!("/options/{index}"), "invalid_character", "control characters are not allowed");
        }
    }
    if rules.min.zip(rules.max).is_some_and(|(min, max)| min > max) {
        wrong("/validation/max".to_owned(), "too_small", "must not be less than `min`");
    }
    if rules.pattern.as_deref().is_some_and(|pattern| compiled(pattern).is_err()) {
        wrong("/validation/pattern".to_owned(), "invalid_format", "must be a valid regular expression of limited size");
    }
    if (rules.min.is_some() || rules.max.is_some()) && kind != FieldKind::Number {
        wrong("/validation".to_owned(), "not_allowed", "`min` and `max` are only allowed for the type `number`");
    }
    if (rules.max_length.is_some() || rules.pattern.is_some()) && !matches!(kind, FieldKind::Text | FieldKind::Url) {
        wrong(
            "/validation".to_owned(),
            "not_allowed",
            "`max_length` and `pattern` are only allowed for the types `text` and `url`",
        );
    }
    if violations.is_empty() { Ok(()) } else { Err(Error::Invalid(violations)) }
}
