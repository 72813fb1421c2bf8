//! Triggers that start a flow automatically: a keyword, a referral, an event or a schedule.

use std::ops::RangeInclusive;

use serde_json::Value;

use super::fields::{DefinitionContents, Fields, FlowFields, Mentioned};
use crate::conversations::{MAX_REFERENCE, Referral};
use crate::custom_events::CustomEventName;
use crate::events::EventKind;
use crate::flows::Cron;
use crate::ids::ChannelId;
use crate::keywords::exact_key;
use crate::read::{Input, Report};
use crate::text::{fold, search_fold};

/// Maximum number of triggers of a flow.
pub const MAX_TRIGGERS: usize = 20;
/// Number of keywords of a trigger.
pub(super) const KEYWORDS: RangeInclusive<usize> = 1..=50;
pub(super) const MAX_CHANNELS: usize = 100;
/// The methods of comparison of a referral.
pub(super) const REFERRAL_WORDS: [&str; 2] = ["exact", "starts_with"];

/// The comparison of a message with a keyword, in order of precedence. Case and surrounding spaces are always ignored;
/// [`KeywordMatch::Exact`] also ignores width, diacritics, punctuation, symbols and emoji.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeywordMatch {
    /// The message is the keyword.
    Exact,
    /// The message starts with the keyword.
    StartsWith,
    /// The message contains the keyword.
    Contains,
}

impl KeywordMatch {
    /// All words.
    pub const WORDS: [&str; 3] = ["exact", "starts_with", "contains"];

    /// Returns the comparison key of a keyword or message.
    fn key(self, text: &str) -> String {
        match self {
            Self::Exact => exact_key(text),
            Self::StartsWith | Self::Contains => fold(text),
        }
    }

    /// Whether a message matches a keyword; both are comparison keys.
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

/// A trigger that starts a flow automatically.
#[derive(Debug, Clone, PartialEq)]
pub enum Trigger {
    /// A message of a contact.
    Keyword {
        /// The method of comparison.
        how: KeywordMatch,
        /// The comparison keys of the keywords.
        keywords: Vec<String>,
        /// The channels; all channels if empty.
        channels: Vec<ChannelId>,
    },
    /// A message that a contact wrote through a start link or an advertisement.
    Referral {
        /// The method of comparison: `exact` or `starts_with`. Case counts.
        how: KeywordMatch,
        /// The reference of the link or advertisement, or its beginning.
        reference: String,
    },
    /// An event about a contact.
    Event {
        /// The event kind.
        kind: EventKind,
        /// A condition that must hold, as in the definition.
        filter: Option<Value>,
    },
    /// A custom event of a contact.
    CustomEvent {
        /// The name.
        name: CustomEventName,
        /// A condition that must hold, as in the definition.
        filter: Option<Value>,
    },
    /// A schedule in the workspace's time zone.
    Schedule {
        /// The cron expression.
        cron: Box<Cron>,
        /// The condition that selects the contacts, as in the definition.
        audience: Value,
    },
}

impl Trigger {
    /// Parses a trigger of a published definition.
    pub fn parse<'a>(written: impl Into<Input<'a>>) -> Option<Self> {
        let (mut report, mut found) = (Report::default(), DefinitionContents::default());
        let read = trigger(&mut Fields::over(written.into().as_object()?, &mut report, &mut found));
        read.filter(|_| report.is_empty())
    }

    /// Returns the words that a message must have: the comparison keys of the keywords, or the reference; empty for
    /// other types of triggers.
    pub fn words(&self) -> &[String] {
        match self {
            Self::Keyword { keywords, .. } => keywords,
            Self::Referral { reference, .. } => std::slice::from_ref(reference),
            Self::Event { .. } | Self::CustomEvent { .. } | Self::Schedule { .. } => &[],
        }
    }

    /// Whether every message that matches `of` by `word` matches this trigger equally well.
    pub(in crate::flows) fn takes(&self, word: &String, of: &Self) -> bool {
        if let (Self::Referral { .. }, Self::Referral { .. }) = (self, of) {
            return self == of;
        }
        let (Self::Keyword { how, keywords, channels }, Self::Keyword { how: others, keywords: _, channels: on }) =
            (self, of)
        else {
            return false;
        };
        let everywhere = channels.is_empty() || (!on.is_empty() && on.iter().all(|channel| channels.contains(channel)));
        how == others && everywhere && keywords.contains(word)
    }

    /// Returns how the trigger matches a message on a channel; the smallest value is the best match.
    pub fn fits(&self, text: &str, on: ChannelId) -> Option<KeywordMatch> {
        let (how, keywords) = self.keywords_on(on)?;
        let said = how.key(text);
        keywords.iter().any(|keyword| how.compares(&said, keyword)).then_some(how)
    }

    /// Returns how the trigger matches the referral of a message; the smallest value is the best match.
    pub fn fits_referral(&self, referral: &Referral) -> Option<KeywordMatch> {
        let Self::Referral { how, reference } = self else { return None };
        how.compares(referral.reference.as_deref()?, reference).then_some(*how)
    }

    /// Whether the trigger matches a message after [`search_fold`]. Only used if no trigger matches exactly, and only
    /// if a single flow matches this way.
    pub fn fits_as_search(&self, text: &str, on: ChannelId) -> bool {
        let Some((how, keywords)) = self.keywords_on(on) else { return false };
        let said = search_fold(&how.key(text));
        let mut keywords = keywords.iter().map(|keyword| search_fold(keyword));
        keywords.any(|keyword| !keyword.is_empty() && how.compares(&said, &keyword))
    }

    /// Returns the keywords for messages on a channel, and the method of comparison.
    fn keywords_on(&self, on: ChannelId) -> Option<(KeywordMatch, &[String])> {
        let Self::Keyword { how, keywords, channels } = self else { return None };
        (channels.is_empty() || channels.contains(&on)).then_some((*how, keywords.as_slice()))
    }
}

pub(super) fn read(fields: &mut Fields<'_>) -> Vec<Trigger> {
    fields.each("triggers", MAX_TRIGGERS, |fields, _| trigger(fields))
}

fn trigger(fields: &mut Fields<'_>) -> Option<Trigger> {
    match fields.word("type", &["keyword", "referral", "event", "custom_event", "schedule"])? {
        "keyword" => keyword(fields),
        "referral" => referral(fields),
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

fn referral(fields: &mut Fields<'_>) -> Option<Trigger> {
    fields.only(&["type", "ref", "match"]);
    let how = match fields.get("match") {
        None => Some(KeywordMatch::Exact),
        Some(_) => fields.word("match", &REFERRAL_WORDS).and_then(KeywordMatch::parse),
    };
    let reference = fields.text("ref").map(ToOwned::to_owned);
    if reference.as_ref().is_some_and(|it| it.chars().count() > MAX_REFERENCE) {
        fields.wrong("ref", "too_long", format!("at most {MAX_REFERENCE} characters"));
        return None;
    }
    Some(Trigger::Referral { how: how?, reference: reference? })
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
