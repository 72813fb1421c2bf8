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

/// Implements [`Filtered`] for each type.
macro_rules! filtered {
    ($($of:ty, $status:ty: $it:ident => $listed:expr;)*) => {
        $(impl Filtered for $of {
            type Status = $status;

            fn filter_fields(&self) -> FilterFields<'_, $status> {
                let $it = self;
                $listed
            }
        })*
    };
}

filtered! {
    Tag, Infallible: it => FilterFields::named(&it.name, None);
    Segment, Infallible: it => FilterFields::named(&it.name, None);
    Flow, FlowStatus: it => FilterFields::named(&it.name, Some(it.status));
    Sequence, SequenceStatus: it => FilterFields::named(&it.name, Some(it.status));
    Broadcast, BroadcastStatus: it => FilterFields::named(&it.name, Some(it.status));
    Channel, ChannelStatus: it => FilterFields::named(&it.name, Some(it.status));
    Webhook, WebhookStatus: it =>
        FilterFields { name: None, texts: [Some(&it.url), it.description.as_deref()], status: Some(it.status) };
}
