//! Resolution of field names.

use super::Reader;
use crate::conditions::attributes::{ContactAttribute, ConversationAttribute};
use crate::conditions::bound::{LostKind, Meaning};
use crate::conditions::kind::Kind;
use crate::conditions::model::Subject;
use crate::read::texts::meant;

/// Limits of a path into `vars` or `event`: number of steps, and length of a step.
const MAX_STEPS: usize = 10;
const MAX_STEP: usize = 100;

impl<'v> Reader<'v, '_> {
    /// The field with this name, and its type.
    pub(super) fn subject(&mut self, name: &str, at: String) -> Option<(Subject, Kind<'v>)> {
        let vocabulary = self.vocabulary;
        match name.split_once('.') {
            None if name == "tags" => Some((Subject::Tags, Kind::Tags)),
            None => match ContactAttribute::parse(name) {
                Some(attribute) => Some((Subject::Contact(attribute), attribute.kind())),
                None => self.unknown(name, at),
            },
            Some(("conversation", rest)) => match ConversationAttribute::parse(rest) {
                Some(attribute) => Some((Subject::Conversation(attribute), attribute.kind())),
                None => {
                    let near = meant(rest, ConversationAttribute::NAMES.iter().copied());
                    let known = ConversationAttribute::NAMES.join("`, `");
                    let message =
                        format!("unknown conversation field `{}`{near}; known fields: `{known}`", short(rest));
                    self.wrong_name(at, "unknown_field", message, name)
                }
            },
            Some(("custom_fields", key)) => {
                let fields = &vocabulary.custom_fields;
                let field = match self.binding(&at) {
                    None => fields.get(key),
                    Some(meaning) => fields.values().find(|field| meaning == Some(Meaning::Field(field.id))),
                };
                let Some(field) = field else { return self.gone(LostKind::Field, key, fields.keys(), at) };
                self.bindings.insert(at, Meaning::Field(field.id));
                let subject = Subject::Custom { id: field.id, key: field.key.clone(), kind: field.kind };
                Some((subject, Kind::of_field(field.kind, &field.options)))
            }
            Some(("bot_fields", key)) => {
                let fields = &vocabulary.bot_fields;
                let field = match self.binding(&at) {
                    None => fields.get(key),
                    Some(meaning) => fields.values().find(|field| meaning == Some(Meaning::BotField(field.id))),
                };
                let Some(field) = field else { return self.gone(LostKind::BotField, key, fields.keys(), at) };
                self.bindings.insert(at, Meaning::BotField(field.id));
                let subject = Subject::Bot { id: field.id, key: field.key.clone(), kind: field.kind };
                Some((subject, Kind::of_field(field.kind, &[])))
            }
            Some(("vars", path)) if vocabulary.vars => self.path(path, at).map(|it| (Subject::Vars(it), Kind::Any)),
            Some(("event", path)) if vocabulary.event => self.path(path, at).map(|it| (Subject::Event(it), Kind::Any)),
            Some((root @ ("vars" | "event"), _)) => {
                let message = format!("`{root}` is only available in flows");
                self.wrong(at, "unknown_field", message)
            }
            Some(_) => self.unknown(name, at),
        }
    }

    fn gone<'k>(
        &mut self,
        kind: LostKind,
        key: &str,
        known: impl Iterator<Item = &'k String>,
        at: String,
    ) -> Option<(Subject, Kind<'v>)> {
        if self.is_stored() {
            self.lose(&at, kind, key);
            return Some((Subject::Gone, Kind::Any));
        }
        let what = kind.as_str().replace('_', " ");
        let near = meant(key, known.map(String::as_str));
        let message = format!("no {what} has the key `{}`{near}", short(key));
        self.wrong_name(at, "unknown_field", message, key)
    }

    fn unknown(&mut self, name: &str, at: String) -> Option<(Subject, Kind<'v>)> {
        let vocabulary = self.vocabulary;
        let custom: Vec<String> = vocabulary.custom_fields.keys().map(|key| format!("custom_fields.{key}")).collect();
        let bot: Vec<String> = vocabulary.bot_fields.keys().map(|key| format!("bot_fields.{key}")).collect();
        let conversation: Vec<String> =
            ConversationAttribute::NAMES.iter().map(|attribute| format!("conversation.{attribute}")).collect();
        let of_fields = custom.iter().chain(&bot).chain(&conversation).map(String::as_str);
        let known: Vec<&str> = ContactAttribute::NAMES.iter().copied().chain(["tags"]).chain(of_fields).collect();
        // Suggests `email` for `contact.email`, and `custom_fields.plan` for `plan`.
        let bare = name.strip_prefix("contact.").unwrap_or(name);
        let field =
            [&custom, &bot].into_iter().flatten().find(|it| it.split_once('.').is_some_and(|(_, it)| it == bare));
        let near = match (field, known.contains(&bare)) {
            (_, true) => format!("; did you mean `{bare}`?"),
            (Some(field), false) => format!("; did you mean `{field}`?"),
            (None, false) => match meant(name, known) {
                near if near.is_empty() => {
                    "; attributes are such as `email`, custom fields are `custom_fields.KEY`".to_owned()
                }
                near => near,
            },
        };
        let message = format!("unknown field `{}`{near}", short(name));
        self.wrong_name(at, "unknown_field", message, name)
    }

    fn path(&mut self, path: &str, at: String) -> Option<Vec<String>> {
        let steps: Vec<String> = path.split('.').map(ToOwned::to_owned).collect();
        let fits = |step: &String| !step.is_empty() && step.chars().count() <= MAX_STEP && !step.contains('\0');
        if steps.len() > MAX_STEPS || !steps.iter().all(fits) {
            let message = format!("expected a path of at most {MAX_STEPS} names separated by dots");
            return self.wrong(at, "invalid_format", message);
        }
        Some(steps)
    }
}

/// The name, truncated for a message.
fn short(name: &str) -> String {
    let mut short: String = name.chars().take(64).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    short
}
