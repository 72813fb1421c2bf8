//! Flows that keywords on a channel start.

use std::collections::BTreeSet;

use super::{Flow, FlowService, FlowStatus, Trigger};
use crate::access::Access;
use crate::error::Error;
use crate::ids::{ChannelId, FlowId, TypedId};
use crate::list_filter::{FilterFields, ListFilter};
use crate::pagination::{Page, PageRequest, Position, page_of};

impl FlowService {
    /// Lists the active flows with a keyword trigger that names a channel. Triggers for all channels do not count.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub async fn list_with_keyword_on(
        &self,
        access: &Access,
        channel: ChannelId,
        filter: &ListFilter<FlowStatus>,
        page: PageRequest,
    ) -> Result<Page<Flow>, Error> {
        let triggers = self.ports.flows.keyword_triggers(access).await?;
        let named = triggers.iter().filter(|it| names_channel(&it.trigger, channel)).map(|it| it.flow);
        let mut flows = Vec::new();
        for flow in named.collect::<BTreeSet<FlowId>>() {
            flows.extend(self.ports.flows.get(access, flow).await?);
        }
        flows.retain(|flow| filter.admits(&FilterFields::named(&flow.name, Some(flow.status))));
        Ok(page_of(flows, page, |flow| Position { at: flow.created_at, id: flow.id.uuid() }))
    }
}

fn names_channel(trigger: &Trigger, channel: ChannelId) -> bool {
    match trigger {
        Trigger::Keyword { channels, .. } => channels.contains(&channel),
        Trigger::Referral { .. } | Trigger::Event { .. } | Trigger::CustomEvent { .. } | Trigger::Schedule { .. } => {
            false
        }
    }
}
