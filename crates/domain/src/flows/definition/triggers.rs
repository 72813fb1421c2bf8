//! What starts a flow by itself: a word of the contact, an event, or the clock.

use std::ops::RangeInclusive;

use serde_json::Value;

use super::fields::{Fields, Found, Mentioned};
use crate::custom_events::CustomEventName;
use crate::events::EventKind;
use crate::flows::Cron;
use crate::ids::ChannelId;
use crate::keywords::exact_key;
use crate::read::{Input, Report};
use crate::text::{fold, search_fold};

/// The most triggers of a flow.
pub const MAX_TRIGGERS: usize = 20;
/// How many keywords a trigger has.
pub(super) const KEYWORDS: RangeInclusive<usize> = 1..=50;
/// The most channels that a trigger names.
pub(super) const MAX_CHANNELS: usize = 100;

/// How a contact's message is compared with a keyword; letter case and outer spaces never count. For [`KeywordMatch::Exact`]
/// width, diacritics, punctuation, symbols and emoji do not count either. The order is that of precedence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeywordMatch {
    /// The whole message is the keyword.
    Exact,
    /// The message begins with it.
    StartsWith,
    /// It stands somewhere in the message.
    Contains,
}

impl KeywordMatch {
    /// The words of all.
    pub const WORDS: [&str; 3] = ["exact", "starts_with", "contains"];

    /// The text by which a keyword and a message are compared.
    fn key(self, text: &str) -> String {
        match self {
            Self::Exact => exact_key(text),
            Self::StartsWith | Self::Contains => fold(text),
        }
    }

    /// Whether a message has a keyword, both by the same key.
    fn compares(self, said: &str, keyword: &str) -> bool {
        match self {
            Self::Exact => said == keyword,
            Self::StartsWith => said.starts_with(keyword),
            Self::Contains => said.contains(keyword),
        }
    }

    fn parse(word: &str) -> Option<Self> {
        match word {
            "exact" => Some(Self::Exact),
            "starts_with" => Some(Self::StartsWith),
            "contains" => Some(Self::Contains),
            _ => None,
        }
    }
}

/// What starts a flow by itself.
#[derive(Debug, Clone, PartialEq)]
pub enum Trigger {
    /// A message of a contact.
    Keyword {
        /// How it is compared.
        how: KeywordMatch,
        /// The words, folded for comparing.
        keywords: Vec<String>,
        /// On which channels; on all where it is empty.
        channels: Vec<ChannelId>,
    },
    /// An event about a contact.
    Event {
        /// Its kind.
        kind: EventKind,
        /// A condition, as it was written, that must hold.
        filter: Option<Value>,
    },
    /// A custom event of a contact.
    CustomEvent {
        /// Its name.
        name: CustomEventName,
        /// A condition, as it was written, that must hold.
        filter: Option<Value>,
    },
    /// The clock of the workspace.
    Schedule {
        /// When.
        cron: Box<Cron>,
        /// The condition, as it was written, on those whom it starts.
        audience: Value,
    },
}

impl Trigger {
    /// Reads a trigger that was found right before.
    pub fn parse<'a>(written: impl Into<Input<'a>>) -> Option<Self> {
        let (mut report, mut found) = (Report::default(), Found::default());
        let read = trigger(&mut Fields::over(written.into().as_object()?, &mut report, &mut found));
        read.filter(|_| report.is_empty())
    }

    /// With what messages are compared, folded; nothing where other things start the flow.
    pub fn keywords(&self) -> &[String] {
        match self {
            Self::Keyword { keywords, .. } => keywords,
            Self::Event { .. } | Self::CustomEvent { .. } | Self::Schedule { .. } => &[],
        }
    }

    /// Whether all messages that fit another trigger by this keyword of it fit this one as well, and as well.
    pub(in crate::flows) fn takes(&self, keyword: &String, of: &Self) -> bool {
        let (Self::Keyword { how, keywords, channels }, Self::Keyword { how: others, keywords: _, channels: on }) =
            (self, of)
        else {
            return false;
        };
        let everywhere = channels.is_empty() || (!on.is_empty() && on.iter().all(|channel| channels.contains(channel)));
        how == others && everywhere && keywords.contains(keyword)
    }

    /// How well the trigger fits a message on a channel; the least is the best.
    pub fn fits(&self, text: &str, on: ChannelId) -> Option<KeywordMatch> {
        let (how, keywords) = self.keywords_on(on)?;
        let said = how.key(text);
        keywords.iter().any(|keyword| how.compares(&said, keyword)).then_some(how)
    }

    /// Whether the trigger fits a message that writes its letters in another way, as [`search_fold`] compares them. This
    /// only counts where no trigger fits and a single flow is left.
    pub fn fits_as_search(&self, text: &str, on: ChannelId) -> bool {
        let Some((how, keywords)) = self.keywords_on(on) else { return false };
        let said = search_fold(&how.key(text));
        let mut keywords = keywords.iter().map(|keyword| search_fold(keyword));
        keywords.any(|keyword| !keyword.is_empty() && how.compares(&said, &keyword))
    }

    /// The keywords for messages on a channel, and how they are compared.
    fn keywords_on(&self, on: ChannelId) -> Option<(KeywordMatch, &[String])> {
        let Self::Keyword { how, keywords, channels } = self else { return None };
        (channels.is_empty() || channels.contains(&on)).then_some((*how, keywords.as_slice()))
    }
}

pub(super) fn read(fields: &mut Fields<'_>) -> Vec<Trigger> {
    fields.each("triggers", MAX_TRIGGERS, |fields, _| trigger(fields))
}

fn trigger(fields: &mut Fields<'_>) -> Option<Trigger> {
    match fields.word("type", &["keyword", "event", "custom_event", "schedule"])? {
        "keyword" => keyword(fields),
        "custom_event" => custom_event(fields),
        "schedule" => schedule(fields),
        _ => event(fields),
    }
}

fn keyword(fields: &mut Fields<'_>) -> Option<Trigger> {
    fields.only(&["type", "match", "keywords", "channel_ids"]);
    let how = match fields.get("match") {
        None => Some(KeywordMatch::Exact),
        Some(_) => fields.word("match", &KeywordMatch::WORDS).and_then(KeywordMatch::parse),
    };
    if fields.get("keywords").is_none() {
        fields.wrong("keywords", "required", "is required");
    }
    let keywords = fields.texts("keywords", *KEYWORDS.end());
    if keywords.as_ref().is_some_and(|keywords| keywords.len() < *KEYWORDS.start()) {
        fields.wrong("keywords", "too_few", "at least one keyword is required");
    }
    let mut channels = Vec::new();
    for (index, word) in fields.texts("channel_ids", MAX_CHANNELS).unwrap_or_default().iter().enumerate() {
        let place = format!("channel_ids/{index}");
        match word.parse() {
            Ok(channel) => {
                channels.push(channel);
                fields.mention(Mentioned::Channel, &place, word);
            }
            Err(_) => {
                fields.error(
                    &format!("/{place}"),
                    "invalid_id",
                    "expected an ID such as chan_01h455vb4pex5vsknk084sn02q",
                );
            }
        }
    }
    let how = how?;
    let keywords = keywords?.iter().map(|keyword| how.key(keyword)).collect();
    Some(Trigger::Keyword { how, keywords, channels })
}

fn event(fields: &mut Fields<'_>) -> Option<Trigger> {
    fields.only(&["type", "event", "filter"]);
    let kind = fields.event_kind("event");
    let filter = fields.condition("filter");
    Some(Trigger::Event { kind: kind?, filter })
}

fn custom_event(fields: &mut Fields<'_>) -> Option<Trigger> {
    fields.only(&["type", "name", "filter"]);
    let name = fields.custom_event("name");
    let filter = fields.condition("filter");
    Some(Trigger::CustomEvent { name: name?, filter })
}

fn schedule(fields: &mut Fields<'_>) -> Option<Trigger> {
    fields.only(&["type", "cron", "audience"]);
    let cron = fields.text("cron").map(Cron::parse).and_then(|read| match read {
        Ok(cron) => Some(cron),
        Err(wrong) => {
            fields.wrong("cron", wrong.code(), wrong.to_string());
            None
        }
    });
    if fields.get("audience").is_none() {
        fields.wrong(
            "audience",
            "required",
            "is required: a condition that selects the contacts that the flow starts for",
        );
    }
    let audience = fields.condition("audience");
    Some(Trigger::Schedule { cron: Box::new(cron?), audience: audience? })
}
