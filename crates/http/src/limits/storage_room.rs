//! The storage limit: rejects requests that create or enlarge objects if the workspace has reached its plan's limit.

use tidings_domain::Error;
use tidings_domain::access::Plan;

use crate::auth::caller::Caller;
use crate::request::RequestContext;

impl RequestContext {
    /// Checks that the workspace may store more.
    ///
    /// # Errors
    /// [`Error::StorageFull`], [`Error::Store`].
    pub(crate) async fn make_room(&self) -> Result<(), Error> {
        let Some(limit) = self.plan().and_then(|plan| self.state.stored_limits.of(plan)) else { return Ok(()) };
        let total = self.stored_total().await?;
        if total < limit { Ok(()) } else { Err(Error::StorageFull { total, limit }) }
    }

    /// Returns the stored bytes of the workspace, at most a second old.
    async fn stored_total(&self) -> Result<i64, Error> {
        // In real time: the clock of a sandbox does not show the age of a sum.
        let (services, workspace) = (&self.state.services, self.access().workspace());
        let now = services.ports.clock.now();
        if let Some(total) = self.state.stored_sums.get(workspace, now) {
            return Ok(total);
        }
        let total = services.platform.storage_usage(self.access()).await?.bytes.total();
        self.state.stored_sums.put(workspace, total, now);
        Ok(total)
    }

    /// Returns the plan of the workspace, from the caller's credential.
    fn plan(&self) -> Option<Plan> {
        match self.caller() {
            Caller::Key(holder) => Some(holder.plan),
            Caller::Person(person) => person.membership(self.access().workspace()).map(|place| place.workspace.plan),
            Caller::Nobody => None,
        }
    }
}
