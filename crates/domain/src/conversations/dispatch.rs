//! The data for sending a message.

use super::{Conversation, Message};
use crate::channels::Channel;
use crate::contacts::Contact;

/// A message with everything that its sending depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct Dispatch {
    /// The message.
    pub message: Message,
    /// The conversation, if it is in one.
    pub conversation: Option<Conversation>,
    /// The contact, deleted or not: with the attributes and the address of the message ([`Contact::destination`]),
    /// without tags and fields.
    pub contact: Contact,
    /// The channel, unless it was deleted.
    pub channel: Option<Channel>,
    /// The revision of the workspace's catalog at the same moment.
    pub catalog: i64,
}
