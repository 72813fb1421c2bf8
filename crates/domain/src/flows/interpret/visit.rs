//! What each type of node does when it is visited.

use super::{Effect, Ending, Interpreter, TracedEffect, Turn};
use crate::contacts::{AppliedTag, MAX_TAGS};
use crate::conversations::Content;
use crate::flows::definition::Branch;
use crate::flows::{Action, Node, Template, Words};
use crate::tags::Tag;

impl Interpreter<'_> {
    pub(super) fn visit(&mut self, at: &str, node: &Node) -> Turn {
        match &node.action {
            Action::SendMessage(words) => match self.say(at, words) {
                Ok(()) => Turn::next(""),
                Err(turn) => turn,
            },
            Action::Ask(ask) => self.ask(at, ask),
            Action::Delay(delay) => self.delay(at, delay),
            Action::Branch(branches) => self.branch(at, branches),
            Action::SetField(target, source) => self.set_field(at, target, source),
            Action::SetBotField(key, source) => self.set_bot_field(at, key, source),
            Action::AddTag(word) => self.tag(at, word, Self::add_tag),
            Action::RemoveTag(word) => self.tag(at, word, Self::remove_tag),
            Action::EnrollSequence(sequence) => {
                self.effect(Effect::EnrollSequence(sequence.clone()));
                Turn::next("")
            }
            Action::ExitSequence(sequence) => {
                self.effect(Effect::ExitSequence(sequence.clone()));
                Turn::next("")
            }
            Action::ResolveConversation => {
                self.human = false;
                self.effect(Effect::ResolveConversation);
                Turn::next("")
            }
            Action::AssignConversation(user) => {
                let sends = |traced: &TracedEffect| matches!(traced.effect, Effect::Send(_) | Effect::Note(_));
                self.human = self.environment.conversation.is_some() || self.effects.iter().any(sends);
                self.effect(Effect::AssignConversation(user.clone()));
                Turn::next("")
            }
            Action::Note(text) => match self.render(text) {
                Ok(text) => {
                    self.effect(Effect::Note(Box::new(Content::note(text))));
                    Turn::next("")
                }
                Err(error) => Turn::failed("template_error", error, at),
            },
            Action::StartFlow(flow) => {
                self.effect(Effect::StartFlow(flow.clone()));
                Turn::Stop { ending: Ending::Completed, outcome: String::new() }
            }
            Action::End => Turn::Stop { ending: Ending::Completed, outcome: "completed".to_owned() },
        }
    }

    /// Sends a message.
    ///
    /// # Errors
    /// How the run ends where it cannot be sent.
    pub(super) fn say(&mut self, at: &str, words: &Words) -> Result<(), Turn> {
        if !self.environment.has_channel {
            return Err(Turn::failed("no_channel", "the workspace has no channel to send on".to_owned(), at));
        }
        let said = self.with_eval_context(|eval| words.render(&eval.template_values()));
        let content = said.map_err(|error| Turn::failed("template_error", error.to_string(), at))?;
        self.effect(Effect::Send(Box::new(content)));
        Ok(())
    }

    pub(super) fn render(&self, template: &Template) -> Result<String, String> {
        self.with_eval_context(|eval| template.render(&eval.template_values())).map_err(|error| error.to_string())
    }

    fn branch(&mut self, at: &str, branches: &[Branch]) -> Turn {
        for (index, branch) in branches.iter().enumerate() {
            match self.with_eval_context(|eval| self.environment.conditions.holds(&branch.when, eval)) {
                Ok(true) => {
                    let exit = format!("branches/{index}");
                    return Turn::Leave { exit, outcome: format!("the condition of branch {index} holds") };
                }
                Ok(false) => {}
                Err(why) => return Turn::failed("condition_error", format!("branch {index}: {why}"), at),
            }
        }
        Turn::Leave { exit: "otherwise".to_owned(), outcome: "no condition holds".to_owned() }
    }

    fn tag(&mut self, at: &str, word: &str, act: fn(&mut Self, &str, &Tag) -> Turn) -> Turn {
        match self.environment.tags.get(word) {
            Some(tag) => act(self, at, tag),
            None => Turn::failed("tag_missing", format!("the tag {word} is gone"), at),
        }
    }

    fn add_tag(&mut self, at: &str, tag: &Tag) -> Turn {
        if self.contact.has_tag(tag.id) {
            return Turn::next("already there");
        }
        if i64::try_from(self.contact.tags.len()).unwrap_or(i64::MAX) >= MAX_TAGS {
            return Turn::failed("too_many_tags", format!("the contact carries {MAX_TAGS} tags already"), at);
        }
        self.contact.tags.push(AppliedTag { id: tag.id, name: tag.name.clone(), applied_at: self.environment.now });
        self.effect(Effect::AddTag(tag.id));
        Turn::next("added")
    }

    fn remove_tag(&mut self, _at: &str, tag: &Tag) -> Turn {
        match self.contact.tags.iter().position(|link| link.id == tag.id) {
            None => Turn::next("was not there"),
            Some(place) => {
                self.contact.tags.remove(place);
                self.effect(Effect::RemoveTag(tag.id));
                Turn::next("removed")
            }
        }
    }
}
