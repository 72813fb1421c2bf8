//! Texts outside flows, as those of broadcasts: what is wrong with them before anybody gets them.

use super::Template;
use super::template::{Lookups, ROOTS_OF_FLOWS};
use crate::access::Access;
use crate::conversations::Content;
use crate::error::Violation;
use crate::ports::{Ports, StoreError};
use crate::text::Hints;

/// What the texts of broadcasts, sequences and saved replies see: no event started them, and nothing was saved before.
const ROOTS: &[&str] = &["contact", "custom_fields", "bot_fields", "conversation", "now"];

/// The names that texts of a workspace may look up.
pub(crate) struct TextNames {
    custom_fields: Vec<String>,
    bot_fields: Vec<String>,
}

impl TextNames {
    /// Reads the names of the workspace.
    pub(crate) async fn load(ports: &Ports, access: &Access) -> Result<Self, StoreError> {
        let (custom_fields, bot_fields) = futures::try_join!(ports.fields.all(access), ports.fields.bot_all(access))?;
        Ok(Self {
            custom_fields: custom_fields.into_iter().map(|field| field.key.to_string()).collect(),
            bot_fields: bot_fields.into_iter().map(|field| field.key.to_string()).collect(),
        })
    }

    /// What is wrong with the texts of a message; `at` leads to the message.
    pub(crate) fn check_message(&self, content: &Content, at: &str) -> Vec<Violation> {
        content.texts().flat_map(|(place, text)| self.check(text, &format!("{at}{place}"))).collect()
    }

    /// What is wrong with a text: that it is no template, or which names it looks up that nothing has.
    pub(crate) fn check(&self, text: &str, at: &str) -> Vec<Violation> {
        let template = match Template::parse(text) {
            Ok(template) => template,
            Err(error) => return vec![Violation::new(at, "template_error", error.to_string())],
        };
        let unknown = self.unknown(&template, ROOTS).into_iter().map(|(name, near)| {
            let instead = match near.as_slice() {
                [] => format!("available names: {}", ROOTS.join(", ")),
                near => format!("did you mean `{}`?", near.join("` or `")),
            };
            Violation::new(at, "unknown_name", format!("the text uses {name}, which does not exist; {instead}"))
        });
        unknown.collect()
    }

    /// The names that a text of a flow looks up, and nothing has.
    pub(crate) fn unknown_in_flow(&self, template: &Template) -> Vec<String> {
        self.unknown(template, ROOTS_OF_FLOWS).into_iter().map(|(name, _)| name).collect()
    }

    fn unknown(&self, template: &Template, roots: &'static [&'static str]) -> Vec<(String, Vec<String>)> {
        let lookups = Lookups {
            roots,
            custom_fields: self.custom_fields.iter().map(String::as_str).collect(),
            bot_fields: self.bot_fields.iter().map(String::as_str).collect(),
        };
        let mut hints = Hints::default();
        let names = template.names().into_iter();
        names.filter_map(|name| lookups.unknown(&name, &mut hints).map(|near| (name, near))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_told_by_their_form_and_by_their_names() {
        let names = TextNames { custom_fields: vec!["plan".to_owned()], bot_fields: Vec::new() };
        let wrong = |text: &str| -> Vec<(&'static str, String)> {
            names.check(text, "/text").into_iter().map(|it| (it.code, it.message)).collect()
        };
        assert_eq!(wrong("Hi {{ contact.first_name|default('you') }}, {{ custom_fields.plan }} {{ now }}"), []);
        assert_eq!(wrong("{{ contact. }}").first().map(|it| it.0), Some("template_error"));
        let near = "the text uses contact.frist_name, which does not exist; did you mean \
            `contact.first_name` or `contact.last_name`?";
        let seen = "the text uses vars.city, which does not exist; \
            available names: contact, custom_fields, bot_fields, conversation, now";
        let said = wrong("{{ contact.frist_name }} {{ vars.city }}");
        assert_eq!(said, [("unknown_name", near.to_owned()), ("unknown_name", seen.to_owned())]);
    }
}
