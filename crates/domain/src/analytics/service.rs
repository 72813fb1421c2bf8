use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Metric, OpenConversations, Overview, OverviewRequest, Parts, RepliesReport, RepliesRequest};
use crate::access::Access;
use crate::conversations::{ConversationFilter, ConversationStatus};
use crate::error::Error;
use crate::pagination::SortedRequest;
use crate::ports::{Ports, StoreError};

/// Use cases of analytics.
#[derive(Clone)]
pub struct AnalyticsService {
    /// The ports.
    pub ports: Arc<Ports>,
}

impl AnalyticsService {
    /// Returns the counts of the workspace in a range.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the range is empty or too long for its interval, [`Error::Store`].
    pub async fn overview(&self, access: &Access, request: OverviewRequest) -> Result<Overview, Error> {
        let request = request.aligned();
        let now = self.ports.clock.now();
        // The clock is read first: facts recorded after that have a later time.
        let waiting = self.ports.analytics.oldest_fact(access).await?;
        let counts = self.ports.analytics.counts(access, request.from, request.to).await?;
        let parts = self.ports.analytics.parts(access, request.from, request.to).await?;
        let signs = [(Metric::ContactsCreated, 1), (Metric::ContactsRestored, 1), (Metric::ContactsDeleted, -1)];
        let sums = self.ports.analytics.sums(access, signs.map(|(metric, _)| metric).to_vec(), request.to).await?;
        let contacts = signs
            .iter()
            .flat_map(|(metric, sign)| sums.iter().filter(move |(of, _)| of == metric).map(move |(_, sum)| sign * sum));
        let as_of = waiting.map_or(now, |oldest| oldest.min(now));
        let open = self.open_conversations(access).await?;
        Ok(Overview::of(request, &counts, contacts.sum(), as_of).with(Parts::of(&parts), open))
    }

    /// Returns how long contacts waited for members in a range.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn replies(&self, access: &Access, request: RepliesRequest) -> Result<RepliesReport, Error> {
        let request = request.aligned();
        let now = self.ports.clock.now();
        // The clock is read first: facts recorded after that have a later time.
        let waiting = self.ports.analytics.oldest_fact(access).await?;
        let tallies = self.ports.analytics.reply_times(access, request.from, request.to).await?;
        let members = self.ports.members.members(access).await?;
        let names: BTreeMap<_, _> = members.into_iter().map(|it| (it.user.id, it.user.name)).collect();
        let as_of = waiting.map_or(now, |oldest| oldest.min(now));
        Ok(RepliesReport::of(request, &tallies, &names, as_of))
    }

    async fn open_conversations(&self, access: &Access) -> Result<OpenConversations, StoreError> {
        let of_status = async |status| {
            let filter = ConversationFilter { status: Some(status), ..ConversationFilter::default() };
            let page = SortedRequest { limit: 1, counted: true, ..SortedRequest::default() };
            let found = self.ports.conversations.list(access, &filter, page).await?;
            Ok::<_, StoreError>(found.total.map_or(0, |total| total.rows))
        };
        Ok(OpenConversations {
            open: of_status(ConversationStatus::Open).await?,
            pending: of_status(ConversationStatus::Pending).await?,
            snoozed: of_status(ConversationStatus::Snoozed).await?,
        })
    }
}
