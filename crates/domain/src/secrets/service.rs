use std::sync::Arc;

use secrecy::ExposeSecret;

use super::{MAX_VALUE, PutSecret, Secret, hosts, is_name, secret_context};
use crate::access::Access;
use crate::error::Error;
use crate::flows::note_drafts_that_name;
use crate::ids::{SecretId, TypedId};
use crate::outcome::{Done, ExpectedVersion};
use crate::pagination::{Page, PageRequest};
use crate::ports::{ChangeSet, Ports};
use crate::references::{Deletion, Referent};
use crate::retry::{AttemptError, retry_on_conflict};

/// Use cases of secrets.
#[derive(Clone)]
pub struct SecretService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl SecretService {
    /// Returns a secret.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::Store`].
    pub async fn get(&self, access: &Access, name: &str) -> Result<Secret, Error> {
        self.ports.workspace_secrets.get(access, name).await?.ok_or(Error::NotFound)
    }

    /// Returns a page of the secrets of the workspace.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list(&self, access: &Access, page: PageRequest) -> Result<Page<Secret>, Error> {
        Ok(self.ports.workspace_secrets.list(access, page).await?)
    }

    /// Creates a secret, or replaces the value and the hosts of an existing one.
    ///
    /// # Errors
    /// [`Error::Invalid`], [`Error::PreconditionFailed`], [`Error::Full`], [`Error::Store`].
    pub async fn put(
        &self,
        access: &Access,
        command: PutSecret,
        expected: &ExpectedVersion,
    ) -> Result<Done<Secret>, Error> {
        if !is_name(&command.name) {
            let message = "must start with a capital letter, contain only capital letters, digits and `_`, and have at \
                           most 64 characters";
            return Err(Error::invalid("/name", "invalid_name", message));
        }
        let length = command.value.expose_secret().len();
        if !(1..=MAX_VALUE).contains(&length) {
            return Err(Error::invalid("/value", "invalid_length", format!("must be 1 to {MAX_VALUE} bytes long")));
        }
        let hosts = hosts::checked(&command.hosts, &*self.ports.addresses)?;
        let edit = self.ports.edit(access);
        retry_on_conflict(|| async {
            let before = self.ports.workspace_secrets.get(access, &command.name).await?;
            let (set, done) = match before {
                Some(before) => {
                    expected.check(before.version)?;
                    let sealed = self.sealed(before.id, &command);
                    let mut after = Secret { sealed, hosts: hosts.clone(), ..before.clone() };
                    // Recorded as changed even if the value is the same. Otherwise the audit log would reveal whether
                    // it is.
                    let set = edit.update(&before, &mut after);
                    (set, Done::changed(after))
                }
                // A missing secret has no version, so a condition on it fails.
                None if *expected != ExpectedVersion::Any => {
                    return Err::<_, AttemptError>(Error::PreconditionFailed.into());
                }
                None => {
                    let (id, now) = (SecretId::from_uuid(self.ports.ids.next()), self.ports.clock.now());
                    let secret = Secret {
                        id,
                        name: command.name.clone(),
                        sealed: self.sealed(id, &command),
                        hosts: hosts.clone(),
                        created_at: now,
                        updated_at: now,
                        version: 1,
                    };
                    let mut set = edit.create(&secret);
                    note_drafts_that_name(&self.ports, access, &secret, &mut set).await?;
                    (set, Done::created(secret))
                }
            };
            self.ports.ledger.commit(set).await?;
            Ok(done)
        })
        .await
    }

    /// Deletes a secret that no flow names.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::PreconditionFailed`], [`Error::InUse`], [`Error::Store`].
    pub async fn delete(
        &self,
        access: &Access,
        name: &str,
        deletion: Deletion,
        expected: &ExpectedVersion,
    ) -> Result<(), Error> {
        let prepare = |found: &Secret, set: &mut ChangeSet| {
            deletion.prepare(set, Referent::Secret(found.id), &found.name, self.ports.clock.now());
        };
        self.ports.edit(access).delete(|| self.get(access, name), expected, prepare).await
    }

    fn sealed(&self, id: SecretId, command: &PutSecret) -> Vec<u8> {
        self.ports.sealer.seal(command.value.expose_secret().as_bytes(), &secret_context(id))
    }
}
