//! Conversations and the messages in them.
//!
//! | File | Content |
//! |---|---|
//! | `decide.rs` | whether a contact may get a message |
//! | `outgoing.rs` | the changes that add a message |
//! | `send.rs` | sends queued messages to providers, after a second check |
//! | `message_part.rs`, `part_outcome.rs` | messages that are sent in several parts |
//! | `look_up.rs`, `resend.rs` | messages with an unknown outcome, and repeated messages |
//! | `verify.rs` | checks that a request is the provider's |
//! | `received.rs` | messages and status reports as connectors return them |
//! | `received_files.rs`, `fetch.rs` | files that arrive with a contact's message, or are fetched after it |
//! | `attached_files.rs` | files in messages to contacts |
//! | `revisions.rs`, `referral.rs` | edits, deletions and reactions by contacts, and the origin of a message |
//! | `marketing.rs` | contacts who do not want marketing messages |
//! | `choice.rs` | quick replies that contacts choose |
//! | `thread.rs` | threads of messages that answer each other |
//! | `poll.rs`, `catch_up.rs` | fetches messages of contacts from providers |
//! | `inbound.rs`, `route.rs` | stores messages of contacts, and passes them to flows and members |
//! | `lifecycle.rs`, `wake.rs` | open, snoozed and resolved conversations |
//! | `undeliverable.rs` | addresses that a provider cannot reach |
//! | `opening.rs`, `measured.rs` | reply times of members |
//! | `play.rs` | simulated contacts of the sandbox |
//! | `service.rs`, `actions.rs` | the use cases of the API |

mod actions;
mod attached_files;
mod automatic;
mod catch_up;
mod changes;
mod choice;
mod content;
mod counts;
mod decide;
mod dispatch;
mod fetch;
mod filter;
mod inbound;
mod lifecycle;
mod look_up;
mod marketing;
mod measured;
mod message_error;
mod message_part;
mod message_status_view;
mod model;
mod opening;
mod outgoing;
mod part_outcome;
mod play;
mod poll;
mod promised_id;
mod received;
mod received_files;
mod referral;
mod resend;
mod revisions;
mod route;
mod send;
mod service;
mod thread;
mod undeliverable;
mod unparsed;
mod verify;
mod view;
mod wake;
mod words;

pub(crate) use attached_files::{describe_files, existing_files, link_files, use_files};
pub use automatic::{LONGEST_QUEUED, is_automatic, may_have_arrived};
pub use catch_up::CatchUp;
pub use changes::ConversationChange;
pub(crate) use choice::choice_number;
pub use choice::{Choice, PressedButton};
pub use content::{
    Attachment, AttachmentStatus, AttachmentView, Content, MAX_ATTACHMENTS, MAX_ORIGINAL, MAX_QUICK_REPLIES,
    MAX_SUBJECT, MAX_TEXT, MessageTemplate, Original, QuickReply, UNSUPPORTED_TEXT,
};
pub use counts::InboxCounts;
pub use decide::{Recipient, suppression};
pub use dispatch::Dispatch;
pub use fetch::MediaFetcher;
pub use filter::{AssignedTo, ConversationFilter};
pub use inbound::{ConfirmationTexts, InboundService, MAX_OWN_WORDS, OptOutWords};
pub use look_up::OutcomeLookUp;
pub use marketing::{MarketingChange, MarketingPreference};
pub use message_error::MessageError;
pub use message_part::{MAX_PARTS, MessagePart, MessageParts};
pub use message_status_view::{DirectionView, MessageErrorView, MessagePartView, MessageStatusView, StatusChangeView};
pub(crate) use model::TEMPLATE_ERROR;
pub use model::{Conversation, Message, StatusChange};
pub use opening::Opening;
pub use outgoing::OutgoingMessage;
pub use play::ContactPlayer;
pub(crate) use play::played;
pub use poll::ChannelPoller;
pub use received::{
    AddressChange, AnsweredMessage, Block, Complaint, EventDigest, InboundEvent, InboundFile, InboundMessage, Profile,
    Report, StatusReport,
};
pub use referral::{MAX_REFERENCE, Referral};
pub use revisions::{MAX_EDITS, MAX_REACTIONS, MessageEdit, MessageReaction, Revision, RevisionKind, Revisions};
pub use route::InboundRouter;
pub use send::MessageSender;
pub(crate) use send::{BLOCKED_BY_CONTACT, failed};
pub use service::{ConversationService, SendMessage, usual_channel};
pub use thread::Thread;
pub use view::{ConversationView, MessageView};
pub use wake::ConversationWaker;
pub use words::{
    ConversationStatus, Direction, Handler, MessageStatus, MessageType, PartKind, PartStatus, Suppression,
};
