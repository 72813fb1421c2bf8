//! Scripts of simulations: the contact, the start time and the entries.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::contacts::NewContact;
use crate::conversations::Referral;
use crate::custom_events::CustomEventName;
use crate::ids::ChannelId;
use crate::time::{IsoDuration, Timestamp};
use crate::words::words;

words! {
    /// Start of the simulated run.
    StartBy {
        /// The API starts it before the first entry.
        Api = "api",
        /// A trigger starts it, at the first matching entry.
        Trigger = "trigger",
    }
}

/// A script: the contact, the start time and the entries.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Script {
    /// Display name.
    pub name: Option<String>,
    /// A fictional contact. If absent, the contact of the request; without one, an unknown contact.
    pub contact: Option<MadeUpContact>,
    /// When the simulation starts; now if absent.
    pub start_at: Option<Timestamp>,
    /// Start of the run. If absent: a trigger if the first entry matches one, otherwise the API.
    pub start: Option<StartBy>,
    /// Variables for templates, under `vars`, in a run that the API starts.
    pub vars: Map<String, Value>,
    /// The entries, in order. If absent, time passes until nothing is left to do.
    pub entries: Option<Vec<Entry>>,
    /// Responses of the called services, each used once, in order.
    pub answers: Vec<CannedAnswer>,
    /// Expectations of the script.
    pub expect: Expectation,
}

/// A fictional contact of a script.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MadeUpContact {
    /// The attributes; unknown tags are created for the simulation.
    pub person: NewContact,
}

/// An entry of a script.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// The contact sends this message.
    Message {
        /// The text.
        text: String,
        /// The channel. If absent, the channel of the last message, otherwise the default channel.
        channel: Option<ChannelId>,
        /// The start link through which the contact writes.
        referral: Option<Referral>,
    },
    /// This much time passes.
    Advance(IsoDuration),
    /// A custom event is recorded.
    Event {
        /// The name.
        name: CustomEventName,
        /// Data of the event.
        data: Map<String, Value>,
    },
}

/// The response of a called service.
#[derive(Debug, Clone, PartialEq)]
pub struct CannedAnswer {
    /// For calls of this node; any node if absent.
    pub node: Option<String>,
    /// For requests to this URL; any URL if absent.
    pub url: Option<String>,
    /// The response.
    pub answered: Answered,
}

words! {
    /// Failure of a call without a response.
    CallFailure {
        /// The response does not arrive in time.
        Timeout = "timeout",
        /// The connection fails.
        Connection = "connection",
    }
}

/// The result of a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Answered {
    /// A response.
    With {
        /// The HTTP status.
        status: u16,
        /// The body: a string is used as it is, other values as JSON.
        body: Option<Value>,
    },
    /// No response.
    Failed(CallFailure),
}

/// Expectations of a script.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Expectation {
    /// Nodes that must be visited in this order; other nodes can be in between. For a sequence: its steps.
    pub nodes: Vec<String>,
    /// Texts that sent messages must contain, in this order; other messages can be in between.
    pub texts: Vec<String>,
    /// Names of tags that the contact must have at the end.
    pub tags: Vec<String>,
}

impl Expectation {
    /// Whether there are no expectations.
    pub fn is_empty(&self) -> bool {
        let Self { nodes, texts, tags } = self;
        nodes.is_empty() && texts.is_empty() && tags.is_empty()
    }
}

impl MadeUpContact {
    /// Returns the values of custom fields, by key.
    pub fn custom_fields(&self) -> &BTreeMap<String, Value> {
        &self.person.custom_fields
    }
}
