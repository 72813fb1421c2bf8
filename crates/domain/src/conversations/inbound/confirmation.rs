//! Confirmations of opt-outs: the only messages to contacts that have opted out.

use std::collections::BTreeMap;
use std::time::Duration;

use super::super::{Content, Conversation, Message};
use super::InboundService;
use crate::access::Actor;
use crate::channels::Channel;
use crate::contacts::{Contact, ContactStatus, Locale};
use crate::ids::{JobId, MessageId, TypedId};
use crate::keywords::fold_message;
use crate::ports::{Change, ChangeSet, Job, NewJob, Row};
use crate::time::Timestamp;

/// The time after a confirmation during which the contact gets no other one on the channel.
const INTERVAL: Duration = Duration::from_secs(24 * 3_600);
/// The language of contacts without a known one.
const USUAL_LANGUAGE: &str = "en";
/// Opt-out words that belong to one language, as [`fold_message`] returns them.
const WORDS: [(&str, &str); 5] = [("stopp", "de"), ("abmelden", "de"), ("arret", "fr"), ("baja", "es"), ("sair", "pt")];

/// The texts that confirm an opt-out, by language. Without a text, nothing is confirmed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfirmationTexts(BTreeMap<String, String>);

impl ConfirmationTexts {
    /// Creates the texts from pairs of a language, such as `en`, and its text. Empty texts are left out.
    pub fn new<'t>(texts: impl IntoIterator<Item = (&'t str, &'t str)>) -> Self {
        let written = texts.into_iter().filter(|(_, text)| !text.trim().is_empty());
        Self(written.map(|(language, text)| (language.to_owned(), text.trim().to_owned())).collect())
    }

    /// Returns the text in the language of the opt-out word, otherwise of the contact, otherwise in English.
    fn choose(&self, said: &str, locale: Option<&Locale>) -> Option<&str> {
        let said = fold_message(said);
        let of_word =
            WORDS.iter().find(|(word, _)| said.split(' ').any(|it| it == *word)).map(|(_, language)| *language);
        let of_contact = locale.and_then(|locale| locale.as_str().split('-').next());
        let mut languages = [of_word, of_contact, Some(USUAL_LANGUAGE)].into_iter().flatten();
        languages.find_map(|language| self.0.get(&language.to_ascii_lowercase())).map(String::as_str)
    }
}

impl InboundService {
    /// Returns the confirmation of an opt-out by this message. `None` if the provider confirms it, if the contact got a
    /// confirmation within a day, or if the contact gets no messages for another reason.
    pub(super) fn confirmation(
        &self,
        channel: &Channel,
        (contact, conversation): (&Contact, Option<&Conversation>),
        content: &Content,
        now: Timestamp,
    ) -> Option<Content> {
        let said = content.text.as_deref().unwrap_or_default();
        let last = conversation.and_then(|it| it.opt_out_confirmed_at);
        let is_recent = last.is_some_and(|last| now < last.plus(INTERVAL));
        let is_reachable = contact.status != ContactStatus::Blocked && channel.accepts_messages();
        if is_recent || !is_reachable || !self.ports.connectors.confirms_opt_out(channel.kind, said) {
            return None;
        }
        self.words.confirmation.choose(said, contact.locale.as_ref()).map(Content::text)
    }

    /// Adds a confirmation, and the job that sends it. `now` is `opt_out_confirmed_at` of its conversation.
    pub(super) fn add_confirmation(
        &self,
        set: &mut ChangeSet,
        content: Content,
        conversation: &Conversation,
        (depth, now): (i64, Timestamp),
    ) {
        let (id, channel) = (MessageId::from_uuid(self.ports.ids.next()), conversation.channel);
        let recipient = (conversation.contact, channel);
        let message = Message {
            conversation: Some(conversation.id),
            ..Message::queued(id, recipient, content, Actor::system(), now)
        };
        set.change(Change::Insert(Row::Message(Box::new(message))));
        let (conversation, channel) = (Some(conversation.id), Some(channel));
        let send = Job::SendMessage { message: id, conversation, channel, depth };
        set.jobs.push(NewJob::new(JobId::from_uuid(self.ports.ids.next()), send, now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confirms_in_the_language_of_the_word_or_of_the_contact() {
        let texts = ConfirmationTexts::new([("en", " Bye "), ("de", "Tschüss"), ("fr", " ")]);
        let choose = |said: &str, locale: &str| texts.choose(said, locale.parse().ok().as_ref());
        for (said, locale, expected) in [
            ("STOP", "", "Bye"),
            ("stop", "de-AT", "Tschüss"),
            ("Stop", "DE", "Tschüss"),
            ("Abmelden, bitte!", "en-US", "Tschüss"),
            ("ARRÊT", "de", "Tschüss"),
            ("STOP", "fr-FR", "Bye"),
            ("STOP", "nl", "Bye"),
        ] {
            assert_eq!(choose(said, locale), Some(expected), "{said} {locale}");
        }
        assert_eq!(ConfirmationTexts::new([("de", "Tschüss")]).choose("STOP", None), None);
        assert_eq!(ConfirmationTexts::default().choose("STOPP", None), None);
    }
}
