//! The check whether a credential still permits its stream.

use tidings_domain::Tidings;
use tidings_domain::access::Access;
use tidings_domain::ports::StoreError;

use super::frame::End;
use crate::auth::caller::Caller;

/// The caller that opened a stream.
pub(crate) struct StreamAccess {
    services: Tidings,
    caller: Caller,
    access: Access,
}

impl StreamAccess {
    pub(crate) fn new(services: Tidings, caller: Caller, access: Access) -> Self {
        Self { services, caller, access }
    }

    pub(super) fn access(&self) -> &Access {
        &self.access
    }

    pub(super) fn services(&self) -> &Tidings {
        &self.services
    }

    /// Returns why the stream must end, from the current state of the credential in the store.
    ///
    /// # Errors
    /// [`StoreError`] if the store cannot be read.
    pub(super) async fn must_end(&self) -> Result<Option<End>, StoreError> {
        let scope = match &self.caller {
            Caller::Nobody => None,
            Caller::Key(holder) => {
                let found = self.services.access.authenticate_digest(holder.key.digest).await?;
                found.map(|found| found.key.scope)
            }
            Caller::Person(person) => {
                let now = self.services.ports.clock.now();
                let found = self.services.ports.accounts.session(person.holder.session.id).await?;
                let found = found.filter(|it| it.session.is_live(now) && now < person.expires_at);
                let workspace = self.access.workspace();
                found
                    .and_then(|it| it.memberships.into_iter().find(|it| it.workspace.id == workspace))
                    .filter(|it| it.workspace.deletion.is_none())
                    .map(|it| it.role.scope())
            }
        };
        Ok(match scope {
            Some(scope) if scope == self.access.scope() => None,
            Some(_) => Some(End::AccessChanged),
            None => Some(End::Unauthorized),
        })
    }
}
