//! Broadcasts: one message to all contacts of an audience, rendered for each of them.

mod changes;
mod complete;
mod counts;
#[cfg(test)]
mod erasure_tests;
mod manage;
mod model;
mod outcomes;
#[cfg(test)]
mod pace_tests;
mod portion;
mod preview;
mod recipient_view;
mod recipients;
mod render;
mod repeat;
#[cfg(test)]
mod repeat_tests;
mod send;
mod service;
mod start;
#[cfg(test)]
mod tests;
mod view;

pub use changes::BroadcastChange;
pub use complete::BroadcastCloser;
pub use counts::{BroadcastStats, Count};
pub use model::{
    Broadcast, BroadcastError, BroadcastPatch, BroadcastStatus, BroadcastZone, NewBroadcast, WaitingRecipient,
};
pub(crate) use outcomes::{counted, settled_recipient, settles};
pub use portion::{PortionSender, portion_waits};
pub use preview::{BroadcastPreview, BroadcastPreviewView, RecipientPreview};
pub use recipient_view::BroadcastRecipientView;
pub use recipients::{BroadcastRecipient, RecipientMessage, RecipientResult, RecipientStatus};
pub use service::{BroadcastService, CountedBroadcast};
pub use start::BroadcastStarter;
pub use view::{BroadcastView, content_json};

pub use crate::segments::Audience;
