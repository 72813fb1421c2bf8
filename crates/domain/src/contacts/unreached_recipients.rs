//! Recipients of a broadcast who did not get its message.

use crate::ids::{BroadcastId, ChannelId};

/// Chooses the recipients of a broadcast who did not get its message and can be reached on a channel now.
///
/// A recipient is chosen if the result in the first broadcast permits a repeat, if no other repeat of it reached or can still
/// reach the contact, and if the contact is active, subscribed, and has an address on the channel without an opt-out. The
/// status of a recipient decides the first two. Recipients who were merged into a contact are the same person: the contact is
/// not chosen if one of them got the message, or can still get it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnreachedRecipients {
    /// The first broadcast.
    pub first: BroadcastId,
    /// The broadcast that repeats it. Its own recipients do not count.
    pub repeat: BroadcastId,
    /// The channel of the repeat.
    pub channel: ChannelId,
}
