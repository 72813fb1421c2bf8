//! Words that opt a contact out of a channel and in again.

use std::sync::Arc;

use super::super::{Content, Conversation, Handler, MessageType};
use super::confirmation::ConfirmationTexts;
use crate::access::Access;
use crate::contacts::{Contact, ContactView, IdentityOptOut, OptOutSource};
use crate::error::Violation;
use crate::events::{EventDraft, EventKind};
use crate::flows::RunExecutor;
use crate::ids::ChannelId;
use crate::keywords::fold_message;
use crate::ports::{Change, ChangeSet, ContactChange, Guard, Object, Ports, Row, StoreError};
use crate::retry::AttemptError;
use crate::time::Timestamp;

/// Words that opt out on every installation, even as the answer to a flow's question.
const ALWAYS: [&str; 7] = ["stop", "stopall", "stop all", "unsubscribe", "optout", "opt out", "revoke"];
/// Words that opt in again.
const RETURN: [&str; 2] = ["start", "unstop"];
/// Polite words that a message may contain in addition.
const COURTESY: [&str; 9] =
    ["please", "thanks", "thank you", "bitte", "danke", "merci", "por favor", "gracias", "obrigado"];
/// Maximum number of words of a message that is compared.
const LONGEST: usize = 12;

/// Maximum number of opt-out words of a workspace.
pub const MAX_OWN_WORDS: usize = 50;

/// The opt-out words of all workspaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptOutWords {
    first: Option<String>,
    folded: Vec<String>,
    /// The texts that confirm an opt-out.
    pub(super) confirmation: ConfirmationTexts,
}

/// The meaning of a message that consists of such a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    /// Opts out, even as the answer to a flow's question.
    Always,
    /// Opts out, unless it answers a flow's question.
    Leave,
    /// Opts in again.
    Return,
}

/// The sender's wish about further messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// No wish.
    Talk,
    /// To opt out.
    Leave,
    /// To opt in again.
    Return,
}

impl Default for OptOutWords {
    fn default() -> Self {
        Self::new(["STOP", "UNSUBSCRIBE", "CANCEL", "END", "QUIT"])
    }
}

impl OptOutWords {
    /// Creates a list with these words. The built-in words always opt out, too. Opt-outs are not confirmed.
    pub fn new<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        let words: Vec<&str> = words.into_iter().filter(|word| !fold_message(word).is_empty()).collect();
        let first = words.first().map(|word| word.trim().to_uppercase());
        let folded = words.into_iter().map(fold_message).collect();
        Self { first, folded, confirmation: ConfirmationTexts::default() }
    }

    /// Sets the texts that confirm an opt-out.
    #[must_use]
    pub fn confirmed_by(self, confirmation: ConfirmationTexts) -> Self {
        Self { confirmation, ..self }
    }

    /// Validates a workspace's own word.
    ///
    /// # Errors
    /// The violation.
    pub fn check(word: &str) -> Result<(), Violation> {
        let folded = fold_message(word);
        if folded.is_empty() {
            let message = "must contain a letter or digit: use a word that contacts can write, such as STOPP";
            return Err(Violation::at_root("invalid_value", message));
        }
        if RETURN.contains(&folded.as_str()) {
            let message = "is a built-in word that opts contacts in again: use another word";
            return Err(Violation::at_root("invalid_value", message));
        }
        Ok(())
    }

    pub(crate) fn first(&self) -> Option<&str> {
        self.first.as_deref()
    }

    /// Determines the wish in a message of a contact. `conversation` contains the message, if it exists.
    ///
    /// # Errors
    /// [`AttemptError`].
    pub(crate) async fn wish(
        &self,
        ports: &Arc<Ports>,
        access: &Access,
        (contact, channel, conversation): (&Contact, ChannelId, Option<&Conversation>),
        content: &Content,
    ) -> Result<Wish, AttemptError> {
        let is_opted_out = contact.identity(channel).is_some_and(|it| !it.opted_in);
        Ok(match self.word(ports, access, content).await? {
            None => Wish::Talk,
            Some(Word::Return) if is_opted_out => Wish::Return,
            Some(Word::Return) => Wish::Talk,
            Some(Word::Always) => Wish::Leave,
            Some(Word::Leave) => {
                let asked = conversation.filter(|it| it.handler != Handler::Human);
                match (asked, content.text.as_deref()) {
                    (Some(asked), Some(text)) if is_answer(ports, access, asked, text).await? => Wish::Talk,
                    (Some(_) | None, _) => Wish::Leave,
                }
            }
        })
    }

    /// Returns the meaning of a message. The workspace's own words are only loaded for a short message that is no other
    /// word.
    async fn word(&self, ports: &Ports, access: &Access, content: &Content) -> Result<Option<Word>, StoreError> {
        let text = content.text.as_deref().filter(|_| content.kind == MessageType::Text);
        let said = text.map(readings).unwrap_or_default();
        let known = self.match_word(&said);
        if known.is_some() || said.is_empty() {
            return Ok(known);
        }
        let workspace = ports.access.workspace(access.workspace()).await?;
        let own = workspace.map(|it| it.opt_out_words).unwrap_or_default();
        Ok(own.iter().any(|word| said.contains(&fold_message(word))).then_some(Word::Leave))
    }

    /// Returns the meaning of a message by the words of the installation.
    fn match_word(&self, said: &[String]) -> Option<Word> {
        let is = |words: &[&str]| said.iter().any(|said| words.contains(&said.as_str()));
        if is(&ALWAYS) {
            return Some(Word::Always);
        }
        if is(&RETURN) {
            return Some(Word::Return);
        }
        said.iter().any(|said| self.folded.contains(said)).then_some(Word::Leave)
    }
}

/// Returns the texts to compare with the words: the whole message, the message without polite words, and a word that is
/// spelled letter by letter. Empty for an empty or long message.
fn readings(text: &str) -> Vec<String> {
    let whole = fold_message(text);
    let words: Vec<&str> = whole.split(' ').filter(|word| !word.is_empty()).collect();
    if words.is_empty() || words.len() > LONGEST {
        return Vec::new();
    }
    let mut polite = whole.as_str();
    while let Some(shorter) = COURTESY.iter().find_map(|word| without(polite, word)) {
        polite = shorter;
    }
    let is_spelled = words.len() > 2 && words.iter().all(|word| word.chars().count() == 1);
    let spelled = is_spelled.then(|| words.concat());
    let polite = Some(polite.to_owned()).filter(|polite| !polite.is_empty() && *polite != whole);
    [polite, spelled, Some(whole)].into_iter().flatten().collect()
}

/// Removes a word at the start or end of a text.
fn without<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let before = text.strip_suffix(word).and_then(|rest| rest.strip_suffix(' '));
    before.or_else(|| text.strip_prefix(word).and_then(|rest| rest.strip_prefix(' ')))
}

/// Whether the run that would receive the reply waits at a question that offers exactly this text.
async fn is_answer(
    ports: &Arc<Ports>,
    access: &Access,
    asked: &Conversation,
    text: &str,
) -> Result<bool, AttemptError> {
    let runs = RunExecutor { ports: ports.clone() };
    for run in ports.flows.awaiting_reply(access, asked.contact).await? {
        if run.channel == Some(asked.channel)
            && let Some(offers) = runs.offers(access, run, text).await?
        {
            return Ok(offers);
        }
    }
    Ok(false)
}

/// Whether the contact opted out by a word after it sent a message. Such a message opts it in no more: providers repeat
/// messages that failed in any order.
pub(super) fn is_before_opt_out(contact: &Contact, channel: ChannelId, sent_at: Option<Timestamp>) -> bool {
    let opt_outs = contact.identities.iter().filter(|it| it.channel == channel).filter_map(|it| it.opt_out);
    let by_word = opt_outs.filter(|it| it.source == OptOutSource::Keyword).map(|it| it.at).max();
    sent_at.zip(by_word).is_some_and(|(sent_at, opted_out_at)| sent_at < opted_out_at)
}

/// Adds the opt-out of a contact from a channel, unless it has already opted out. An opt-out by the provider becomes one
/// from another source.
pub(crate) fn leave(
    ports: &Ports,
    access: &Access,
    mut contact: Contact,
    (channel, source): (ChannelId, OptOutSource),
    set: &mut ChangeSet,
) {
    let is_switched = contact.identities.iter().any(|it| it.channel == channel && it.opted_in);
    let (before, now) = (contact.identities.clone(), ports.clock.now());
    for identity in contact.identities.iter_mut().filter(|it| it.channel == channel) {
        identity.opt_out_by(Some(IdentityOptOut { source, at: now }));
    }
    if contact.identities == before {
        return;
    }
    set.guard(Guard::Version(Object::Contact(contact.id), contact.version));
    contact.touch(now);
    set.change(Change::Update(Row::Contact(Box::new(contact.clone()))));
    let identities = contact.identities.clone();
    set.change(Change::Contact(ContactChange::ReplaceIdentities { contact: contact.id, identities }));
    if is_switched {
        ports.add_event(unsubscribed_event(&contact, (channel, source)), access, set);
    }
}

/// Builds the event that a contact opted out of a channel.
pub(super) fn unsubscribed_event(contact: &Contact, (channel, source): (ChannelId, OptOutSource)) -> EventDraft {
    let event = EventDraft::new(EventKind::ContactUnsubscribed, &ContactView::from(contact));
    event.with("channel_id", &channel).with("source", &source.as_str()).about(contact.id)
}

#[cfg(test)]
#[path = "opt_out_tests.rs"]
mod tests;
