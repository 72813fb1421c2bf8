//! Who used the API, added up.

use uuid::Uuid;

use super::{PlatformService, page};
use crate::access::Access;
use crate::access::stored::Stored;
use crate::access::usage::{
    ErrorGroup, HistogramInterval, KeyUsage, Layout, MOST_GROUPS, RequestFilter, Span, UsageFilter, UsageHistogram,
    UsageHourView, by_hour,
};
use crate::analytics::QUARTER;
use crate::error::Error;
use crate::pagination::{Page, PageRequest, Position};

impl PlatformService {
    /// The hours that begin in the span, page by page.
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

    /// How much text the workspace has stored.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn stored(&self, access: &Access) -> Result<Stored, Error> {
        Ok(self.ports.usage.stored(access, self.ports.clock.now()).await?)
    }

    /// How many requests there were, bucket by bucket. Sums do not know who asked: the filter names a person in spans
    /// of [`LONGEST_BY_MINUTE`](crate::access::usage::LONGEST_BY_MINUTE) only; in longer ones that is not looked at, as
    /// nothing else is that single requests alone tell.
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

    /// Which problems were answered most, where: at most 100 groups.
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

    /// What each key did: at most 100 of them, the busiest first.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn usage_by_key(&self, access: &Access, span: Span) -> Result<Vec<KeyUsage>, Error> {
        Ok(self.ports.usage.keys(access, span.widened(QUARTER), MOST_GROUPS).await?)
    }
}
