//! Use cases of analytics.

use std::sync::Arc;

use super::{Metric, Overview, OverviewRequest};
use crate::access::Access;
use crate::error::Error;
use crate::ports::Ports;

/// Use cases of analytics.
#[derive(Clone)]
pub struct AnalyticsService {
    /// What it asks of the outside.
    pub ports: Arc<Ports>,
}

impl AnalyticsService {
    /// What happened in the workspace in a span of time.
    ///
    /// # Errors
    /// [`Error::Invalid`] where the span is empty or longer than its interval allows, [`Error::Store`].
    pub async fn overview(&self, access: &Access, request: OverviewRequest) -> Result<Overview, Error> {
        let request = request.aligned();
        let now = self.ports.clock.now();
        // What is noted later than this is of a later instant: the clock is read first.
        let waiting = self.ports.analytics.oldest_fact(access).await?;
        let counts = self.ports.analytics.counts(access, request.from, request.to).await?;
        let signs = [(Metric::ContactsCreated, 1), (Metric::ContactsRestored, 1), (Metric::ContactsDeleted, -1)];
        let sums = self.ports.analytics.sums(access, signs.map(|(metric, _)| metric).to_vec(), request.to).await?;
        let contacts = signs
            .iter()
            .flat_map(|(metric, sign)| sums.iter().filter(move |(of, _)| of == metric).map(move |(_, sum)| sign * sum));
        let as_of = waiting.map_or(now, |oldest| oldest.min(now));
        Ok(Overview::of(request, &counts, contacts.sum(), as_of))
    }
}
