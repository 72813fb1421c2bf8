//! What is played: who somebody is, from when on, and what happens to them.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::contacts::NewContact;
use crate::custom_events::CustomEventName;
use crate::ids::ChannelId;
use crate::time::{IsoDuration, Timestamp};
use crate::words::words;

words! {
    /// Start of the simulated run.
    StartBy {
        /// A start by the API, before the first entry.
        Api = "api",
        /// One of its triggers, at the first entry that it fits.
        Trigger = "trigger",
    }
}

/// A story: who, from when on, and what happens.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Script {
    /// Display name.
    pub name: Option<String>,
    /// Somebody made up; without it who the request names, else somebody of whom nothing is known.
    pub contact: Option<MadeUpContact>,
    /// When the simulation starts; now if absent.
    pub start_at: Option<Timestamp>,
    /// What begins the run. When absent: a trigger of the flow where its first entry fits one, else the API.
    pub start: Option<StartBy>,
    /// Variables for templates, under `vars`, in a run that the API starts.
    pub vars: Map<String, Value>,
    /// The entries, in order. If absent, time passes until nothing is left to do.
    pub entries: Option<Vec<Entry>>,
    /// What services answer that the flow calls, each once, in order.
    pub answers: Vec<CannedAnswer>,
    /// Expectations of the script.
    pub expect: Expectation,
}

/// A fictional contact of a script.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MadeUpContact {
    /// What is known of them; tags that are named and not there are made up, too.
    pub person: NewContact,
}

/// One thing that happens.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// The contact sends this message.
    Message {
        /// The text.
        text: String,
        /// On which channel; where they last talked, else on the default one, when absent.
        channel: Option<ChannelId>,
    },
    /// So much time goes by.
    Advance(IsoDuration),
    /// A custom event is recorded.
    Event {
        /// The action.
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
    /// To calls of this address; of any when absent.
    pub url: Option<String>,
    /// What it is.
    pub answered: Answered,
}

words! {
    /// Failure of a call without a response.
    CallFailure {
        /// Nothing comes in time.
        Timeout = "timeout",
        /// There is no connection.
        Connection = "connection",
    }
}

/// How a call ends.
#[derive(Debug, Clone, PartialEq)]
pub enum Answered {
    /// By an answer.
    With {
        /// Its status.
        status: u16,
        /// Its body; a text as it is, everything else as JSON.
        body: Option<Value>,
    },
    /// By none.
    Failed(CallFailure),
}

/// What must have come of a script.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Expectation {
    /// Nodes of the flow that were visited, in this order; others may lie between. Of a sequence its steps.
    pub nodes: Vec<String>,
    /// Texts that sent messages must contain, in this order; other messages can be in between.
    pub texts: Vec<String>,
    /// Tags that the contact carries at the end, by name.
    pub tags: Vec<String>,
}

impl Expectation {
    /// Whether nothing is expected.
    pub fn is_empty(&self) -> bool {
        let Self { nodes, texts, tags } = self;
        nodes.is_empty() && texts.is_empty() && tags.is_empty()
    }
}

impl MadeUpContact {
    /// The values of custom fields, by key.
    pub fn custom_fields(&self) -> &BTreeMap<String, Value> {
        &self.person.custom_fields
    }
}
