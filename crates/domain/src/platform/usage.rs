//! Use cases of API usage statistics.

use uuid::Uuid;

use super::{PlatformService, page};
use crate::access::Access;
use crate::access::storage_usage::StorageUsage;
use crate::access::usage::{
    ErrorGroup, HistogramInterval, KeyUsage, Layout, MOST_GROUPS, RequestFilter, Span, UsageFilter, UsageHistogram,
    UsageHourView, by_hour,
};
use crate::analytics::QUARTER;
use crate::error::Error;
use crate::pagination::{Page, PageRequest, Position};

impl PlatformService {
    /// Returns a page of the hours that begin in the span.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn usage_by_hour(
        &self,
        access: &Access,
        span: Span,
        request: PageRequest,
    ) -> Result<Page<UsageHourView>, Error> {
        let hours = by_hour(&self.ports.usage.hours(access, span).await?);
        Ok(page(hours, request, |it| Position { at: it.hour, id: Uuid::nil() }))
    }

    /// Returns how much text the workspace has stored.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn storage_usage(&self, access: &Access) -> Result<StorageUsage, Error> {
        Ok(self.ports.usage.storage_usage(access, self.ports.clock.now()).await?)
    }

    /// Returns the number of requests by bucket. Sums contain no users: the filter by user, and other filters that need
    /// single requests, apply only to spans up to [`LONGEST_BY_MINUTE`](crate::access::usage::LONGEST_BY_MINUTE). In
    /// longer spans they are ignored.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn usage_histogram(
        &self,
        access: &Access,
        filter: &RequestFilter,
        span: Span,
    ) -> Result<UsageHistogram, Error> {
        let layout = Layout::of(span);
        let counts = match layout.interval {
            HistogramInterval::Minute => self.ports.usage.minutes(access, filter, layout.span).await?,
            _ => self.ports.usage.quarters(access, &filter.usage, layout.span).await?,
        };
        Ok(layout.fill(&counts))
    }

    /// Returns the most frequent error responses by route, at most 100 groups.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn usage_errors(
        &self,
        access: &Access,
        filter: &UsageFilter,
        span: Span,
    ) -> Result<Vec<ErrorGroup>, Error> {
        Ok(self.ports.usage.errors(access, filter, span.widened(QUARTER), MOST_GROUPS).await?)
    }

    /// Returns the usage of each key, at most 100 keys, the busiest first.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn usage_by_key(&self, access: &Access, span: Span) -> Result<Vec<KeyUsage>, Error> {
        Ok(self.ports.usage.keys(access, span.widened(QUARTER), MOST_GROUPS).await?)
    }
}
