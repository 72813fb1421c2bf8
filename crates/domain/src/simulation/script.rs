//! What is played: who somebody is, from when on, and what happens to them.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::contacts::NewContact;
use crate::custom_events::CustomEventName;
use crate::ids::ChannelId;
use crate::time::{IsoDuration, Timestamp};
use crate::words::words;

words! {
    /// What begins the run that is tried.
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
    /// What people call it.
    pub name: Option<String>,
    /// Somebody made up; without it who the request names, else somebody of whom nothing is known.
    pub contact: Option<MadeUpContact>,
    /// When it begins; now when absent.
    pub start_at: Option<Timestamp>,
    /// What begins the run. When absent: a trigger of the flow where its first entry fits one, else the API.
    pub start: Option<StartBy>,
    /// What templates find under `vars` in a run that the API begins.
    pub vars: Map<String, Value>,
    /// What happens, in order. When absent nothing does, and time goes on until nothing more is to come.
    pub entries: Option<Vec<Entry>>,
    /// What services answer that the flow calls, each once, in order.
    pub answers: Vec<CannedAnswer>,
    /// What must have come of it.
    pub expect: Expectation,
}

/// Somebody who is made up for a script.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MadeUpContact {
    /// What is known of them; tags that are named and not there are made up, too.
    pub person: NewContact,
}

/// One thing that happens.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// The contact writes this.
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
        /// What happens.
        name: CustomEventName,
        /// What is to be known of it.
        data: Map<String, Value>,
    },
}

/// What a called service answers.
#[derive(Debug, Clone, PartialEq)]
pub struct CannedAnswer {
    /// To calls of this node; of any when absent.
    pub node: Option<String>,
    /// To calls of this address; of any when absent.
    pub url: Option<String>,
    /// What it is.
    pub answered: Answered,
}

words! {
    /// How a call fails that is not answered.
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
    /// Texts each of which stands in a message that was sent, in this order; other messages may lie between.
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
