//! Who used the API, by hour.

use uuid::Uuid;

use super::{PlatformService, page};
use crate::access::Access;
use crate::access::usage::{UsageHourView, by_hour};
use crate::error::Error;
use crate::pagination::{Page, PageRequest, Position};
use crate::time::Timestamp;

impl PlatformService {
    /// The hours that begin at `from` or later and before `to`, page by page.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn usage_by_hour(
        &self,
        access: &Access,
        from: Timestamp,
        to: Timestamp,
        request: PageRequest,
    ) -> Result<Page<UsageHourView>, Error> {
        let hours = by_hour(&self.usage.hours(access, from, to).await?);
        Ok(page(hours, request, |it| Position { at: it.hour, id: Uuid::nil() }))
    }
}
