//! The properties of objects that list filters use.

use std::convert::Infallible;

use crate::broadcasts::{Broadcast, BroadcastStatus};
use crate::channels::{Channel, ChannelStatus};
use crate::flows::{Flow, FlowStatus};
use crate::list_filter::FilterFields;
use crate::segments::Segment;
use crate::sequences::{Sequence, SequenceStatus};
use crate::tags::Tag;
use crate::webhooks::{Webhook, WebhookStatus};

/// An object in lists with a [`ListFilter`](crate::list_filter::ListFilter).
pub(in crate::memory) trait Filtered {
    /// The type of its status.
    type Status;

    /// The properties that the filter uses.
    fn filter_fields(&self) -> FilterFields<'_, Self::Status>;
}

impl Filtered for Tag {
    type Status = Infallible;

    fn filter_fields(&self) -> FilterFields<'_, Infallible> {
        FilterFields::named(&self.name, None)
    }
}

impl Filtered for Segment {
    type Status = Infallible;

    fn filter_fields(&self) -> FilterFields<'_, Infallible> {
        FilterFields::named(&self.name, None)
    }
}

impl Filtered for Flow {
    type Status = FlowStatus;

    fn filter_fields(&self) -> FilterFields<'_, FlowStatus> {
        FilterFields::named(&self.name, Some(self.status))
    }
}

impl Filtered for Sequence {
    type Status = SequenceStatus;

    fn filter_fields(&self) -> FilterFields<'_, SequenceStatus> {
        FilterFields::named(&self.name, Some(self.status))
    }
}

impl Filtered for Broadcast {
    type Status = BroadcastStatus;

    fn filter_fields(&self) -> FilterFields<'_, BroadcastStatus> {
        FilterFields::named(&self.name, Some(self.status))
    }
}

impl Filtered for Channel {
    type Status = ChannelStatus;

    fn filter_fields(&self) -> FilterFields<'_, ChannelStatus> {
        FilterFields::named(&self.name, Some(self.status))
    }
}

impl Filtered for Webhook {
    type Status = WebhookStatus;

    fn filter_fields(&self) -> FilterFields<'_, WebhookStatus> {
        FilterFields { name: None, texts: [Some(&self.url), self.description.as_deref()], status: Some(self.status) }
    }
}
