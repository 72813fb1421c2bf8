//! Checks of texts outside flows, such as broadcasts, before they are sent.

use super::Template;
use super::template::{Lookups, ROOTS_OF_FLOWS};
use crate::access::Access;
use crate::conversations::Content;
use crate::error::Violation;
use crate::ports::{Ports, StoreError};
use crate::text::Hints;

/// Roots that texts of broadcasts, sequences and saved replies may use: they have neither an event nor saved
/// variables.
const ROOTS: &[&str] = &["contact", "custom_fields", "bot_fields", "conversation", "now"];

/// The names that texts of a workspace may use.
pub(crate) struct TextNames {
    custom_fields: Vec<String>,
    bot_fields: Vec<String>,
}

impl TextNames {
    pub(crate) async fn load(ports: &Ports, access: &Access) -> Result<Self, StoreError> {
        let (custom_fields, bot_fields) = futures::try_join!(ports.fields.all(access), ports.fields.bot_all(access))?;
        Ok(Self {
            custom_fields: custom_fields.into_iter().map(|field| field.key.to_string()).collect(),
            bot_fields: bot_fields.into_iter().map(|field| field.key.to_string()).collect(),
        })
    }

    /// Returns the violations in the texts of a message; `at` is the pointer to the message.
    pub(crate) fn check_message(&self, content: &Content, at: &str) -> Vec<Violation> {
        content.texts().flat_map(|(place, text)| self.check(text, &format!("{at}{place}"))).collect()
    }

    /// Returns the violations in a text: a syntax error, or the names that do not exist.
    pub(crate) fn check(&self, text: &str, at: &str) -> Vec<Violation> {
        let template = match Template::parse(text) {
            Ok(template) => template,
            Err(error) => return vec![Violation::new(at, "template_error", error.to_string())],
        };
        let unknown = self.unknown(&template, ROOTS).into_iter().map(|(name, near)| {
            let instead = match near.as_slice() {
                [] if name.starts_with("custom_fields.") || name.starts_with("bot_fields.") => {
                    "create the field first, or use the key of an existing field".to_owned()
                }
                [] => format!("available names: {}", ROOTS.join(", ")),
                near => format!("did you mean `{}`?", near.join("` or `")),
            };
            Violation::new(at, "unknown_name", format!("the text uses {name}, which does not exist; {instead}"))
        });
        unknown.collect()
    }

    /// Returns the names that a text of a flow uses and that do not exist.
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
    fn reports_invalid_syntax_and_unknown_names() {
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
        let missing = "the text uses custom_fields.height, which does not exist; \
            create the field first, or use the key of an existing field";
        assert_eq!(wrong("{{ custom_fields.height }}"), [("unknown_name", missing.to_owned())]);
    }
}
