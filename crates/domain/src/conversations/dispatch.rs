//! A message on its way out, with all that is asked of it there.

use super::{Conversation, Message};
use crate::channels::Channel;
use crate::contacts::Contact;

/// A message with all that its sending depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct Dispatch {
    /// The message.
    pub message: Message,
    /// In which conversation, if it stands in one.
    pub conversation: Option<Conversation>,
    /// To whom, deleted or not: the attributes, and the identities on the channel, without tags and fields.
    pub contact: Contact,
    /// On which channel, unless it is deleted.
    pub channel: Option<Channel>,
    /// The revision of the workspace's catalog as it is in the same moment.
    pub catalog: i64,
}
