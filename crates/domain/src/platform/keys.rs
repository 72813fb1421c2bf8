//! Management of API keys.

use std::time::Duration;

use super::{PlatformService, page};
use crate::access::{Access, ApiKey, CreatedKey, MAX_KEYS, NewKey};
use crate::audit::{AuditAction, AuditDraft};
use crate::error::Error;
use crate::ids::{KeyId, TypedId};
use crate::outcome::{Done, ExpectedVersion, IdempotencyHook, record_of};
use crate::pagination::{Page, PageRequest, Position};
use crate::ports::{AccessChange, Change, ChangeSet, CommitError, Conflict, Counted, Guard, Object};
use crate::retry::{AttemptError, commit_new, commit_outcome, retry_on_conflict};
use crate::time::Timestamp;

/// The longest overlap of a rotated key with its successor.
pub const MAX_OVERLAP: Duration = Duration::from_secs(7 * 86_400);

/// The options of a key rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rotation {
    /// The time during which the old key stays valid, at most [`MAX_OVERLAP`]. Zero revokes it at once.
    pub overlap: Duration,
}

impl Rotation {
    /// Creates the options for a rotation after which the old key stays valid for this time.
    pub fn new(overlap: Duration) -> Self {
        Self { overlap }
    }
}

impl PlatformService {
    /// Returns a page of the workspace's keys that are not revoked.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn keys(&self, access: &Access, request: PageRequest) -> Result<Page<ApiKey>, Error> {
        let mut keys = self.ports.access.keys(access).await?;
        keys.retain(|key| key.revoked_at.is_none());
        Ok(page(keys, request, |it| Position { at: it.created_at, id: it.id.uuid() }))
    }

    /// Returns a key that is not revoked.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn key(&self, access: &Access, key: KeyId) -> Result<ApiKey, Error> {
        let keys = self.ports.access.keys(access).await?;
        keys.into_iter().find(|it| it.id == key && it.revoked_at.is_none()).ok_or(Error::NotFound)
    }

    /// Creates a key. Its scope must not exceed the scope of the actor.
    ///
    /// # Errors
    /// [`Error::Invalid`] at `/scope`, [`Error::Full`], [`Error::Store`].
    pub async fn create_key(
        &self,
        access: &Access,
        command: NewKey,
        idempotency: IdempotencyHook<'_, CreatedKey>,
    ) -> Result<Done<CreatedKey>, Error> {
        if !access.allows(command.scope) {
            let most = access.scope().as_str();
            return Err(Error::invalid(
                "/scope",
                "insufficient_scope",
                format!("must not exceed your own scope, `{most}`"),
            ));
        }
        let now = self.ports.clock.now();
        let made = self.new_key(access, command, None, now);
        let done = Done::created(made);
        self.clear_expired(access, now).await?;
        let mut set = ChangeSet::new(access.workspace());
        set.guard(Guard::Room { what: Counted::Keys, adding: 1, most: MAX_KEYS });
        set.change(Change::Access(AccessChange::InsertKey(done.value.key.clone())));
        self.ports.add_audit(AuditDraft::created(AuditAction::KeyCreated, &done.value.key), access, &mut set);
        set.idempotency = record_of(idempotency, &done);
        commit_new(&*self.ports.ledger, set).await?;
        Ok(done)
    }

    /// Replaces a key by a new one with the same name and scope. Both are valid until the overlap ends.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::Invalid`] if the key's scope exceeds the scope of
    /// the actor, [`Error::Full`], [`Error::Store`].
    pub async fn rotate_key(
        &self,
        access: &Access,
        key: KeyId,
        rotation: Rotation,
        expected: &ExpectedVersion,
        idempotency: IdempotencyHook<'_, CreatedKey>,
    ) -> Result<Done<CreatedKey>, Error> {
        retry_on_conflict(|| async {
            let now = self.ports.clock.now();
            let old = self.key(access, key).await?;
            if !old.is_usable(now) {
                return Err(Error::NotFound.into());
            }
            expected.check(old.version)?;
            if !access.allows(old.scope) {
                return Err(
                    Error::invalid("", "insufficient_scope", "the scope of the key exceeds your own scope").into()
                );
            }
            self.clear_expired(access, now).await?;
            let command = NewKey { name: old.name.clone(), scope: old.scope, expires_at: old.expires_at };
            let done = Done::created(self.new_key(access, command, Some(old.lineage), now));
            let mut set = ChangeSet::new(access.workspace());
            set.guard(Guard::Version(Object::Key(key), old.version));
            let end = if rotation.overlap.is_zero() {
                set.change(Change::Access(AccessChange::RevokeKey { key, at: now }));
                now
            } else {
                let end = now.plus(rotation.overlap.min(MAX_OVERLAP));
                set.guard(Guard::Room { what: Counted::Keys, adding: 1, most: MAX_KEYS });
                let end = old.expires_at.map_or(end, |own| own.min(end));
                set.change(Change::Access(AccessChange::ExpireKey { key, end, at: now }));
                end
            };
            set.change(Change::Access(AccessChange::InsertKey(done.value.key.clone())));
            let draft = AuditDraft::done(AuditAction::KeyRotated, &old).with("successor_id", &done.value.key.id);
            self.ports.add_audit(draft.turned("expires_at", &old.expires_at, &end), access, &mut set);
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }

    /// Revokes a key. All instances reject it within five seconds.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is none or it is already revoked, [`Error::PreconditionFailed`], [`Error::Store`].
    pub async fn revoke_key(&self, access: &Access, key: KeyId, expected: &ExpectedVersion) -> Result<(), Error> {
        if *expected == ExpectedVersion::Any {
            let found = self.key(access, key).await?;
            return self.revoke(access, &found).await;
        }
        retry_on_conflict(|| async {
            let found = self.key(access, key).await?;
            expected.check(found.version)?;
            let mut set = ChangeSet::new(access.workspace());
            set.guard(Guard::Version(Object::Key(key), found.version));
            set.change(Change::Access(AccessChange::RevokeKey { key, at: self.ports.clock.now() }));
            self.ports.add_audit(AuditDraft::deleted(AuditAction::KeyRevoked, &found), access, &mut set);
            Ok::<_, AttemptError>(self.ports.ledger.commit(set).await?)
        })
        .await
    }

    async fn revoke(&self, access: &Access, key: &ApiKey) -> Result<(), Error> {
        let mut set = ChangeSet::new(access.workspace());
        set.change(Change::Access(AccessChange::RevokeKey { key: key.id, at: self.ports.clock.now() }));
        self.ports.add_audit(AuditDraft::deleted(AuditAction::KeyRevoked, key), access, &mut set);
        self.ports.ledger.commit(set).await.map_err(|error| match error {
            CommitError::Conflict(Conflict::Stale(_)) => Error::NotFound,
            error => error.into(),
        })
    }

    /// Returns a new key that continues `lineage`, or starts a new one.
    fn new_key(&self, access: &Access, command: NewKey, lineage: Option<KeyId>, now: Timestamp) -> CreatedKey {
        let made = self.ports.secrets.api_key(!access.workspace().is_sandbox());
        let id = KeyId::from_uuid(self.ports.ids.next());
        CreatedKey::of(id, access.workspace(), lineage, command, made, now)
    }

    /// Revokes expired keys, because they would count towards the limit of keys.
    async fn clear_expired(&self, access: &Access, now: Timestamp) -> Result<(), Error> {
        for key in self.ports.access.keys(access).await? {
            if key.revoked_at.is_none() && !key.is_usable(now) {
                // The service revokes it, not the actor.
                match self.revoke(&Access::system(access.workspace()), &key).await {
                    Ok(()) | Err(Error::NotFound) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }
}
