//! The template that is sent instead of a message after the reply window of its channel.

use super::{Content, MessageTemplate};
use crate::body;
use crate::conversations::MessageType;
use crate::read::nested;

body! {
    /// The message that is sent instead after the reply window of the channel.
    pub(super) struct Fallback as "MessageFallback" {
        /// The template, as in a message of the type `template`.
        required template: MessageTemplate = nested();
    }
}

impl Content {
    /// Replaces the content by its fallback. Returns whether it has one.
    pub(in crate::conversations) fn fall_back(&mut self) -> bool {
        let Some(template) = self.fallback.take() else { return false };
        *self = Self { template: Some(template), ..Self::of(MessageType::Template) };
        true
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::broadcasts::content_json;

    fn content(value: &Value) -> Content {
        Content::parse(value).expect("the content is valid")
    }

    fn wrong(value: &Value) -> Vec<(String, &'static str)> {
        let violations = Content::parse(value).err().unwrap_or_default();
        violations.into_iter().map(|it| (it.pointer, it.code)).collect()
    }

    #[test]
    fn reads_and_writes_the_template() {
        let template = json!({"name": "hello", "language": "de", "parameters": {"1": "Ada"}});
        let written = json!({"type": "text", "text": "Hi", "fallback": {"template": template}});
        assert_eq!(content_json(&content(&written)), written);
        let file = [json!({"url": "https://example.com/a.png"})];
        let mut picture = content(&json!({"type": "image", "attachments": file, "fallback": {"template": template}}));
        assert!(picture.fall_back());
        assert_eq!(picture, content(&json!({"type": "template", "template": template})));
        assert!(!picture.fall_back(), "a template has no fallback");
    }

    #[test]
    fn checks_the_template() {
        let text = |fallback: Value| json!({"type": "text", "text": "Hi", "fallback": fallback});
        let long = json!({"template": {"name": "x".repeat(201)}});
        for (value, pointer, code) in [
            (text(json!({})), "/fallback/template", "required"),
            (text(json!({"template": {}})), "/fallback/template/name", "required"),
            (text(long), "/fallback/template/name", "too_long"),
            (text(json!({"text": "Hi", "template": {"name": "a"}})), "/fallback/text", "unknown_field"),
            (
                json!({"type": "template", "template": {"name": "a"}, "fallback": {"template": {"name": "b"}}}),
                "/fallback",
                "not_allowed",
            ),
        ] {
            assert_eq!(wrong(&value), [(pointer.to_owned(), code)], "{value}");
        }
        let mut rendered = content(&text(json!({"template": {"name": "a", "parameters": {"1": "b"}}})));
        if let Some(template) = &mut rendered.fallback {
            template.parameters.insert("1".to_owned(), "x".repeat(4_097));
        }
        let found: Vec<_> = rendered.check().into_iter().map(|it| (it.pointer, it.code)).collect();
        assert_eq!(found, [("/fallback/template/parameters/1".to_owned(), "too_long")]);
    }

    #[test]
    fn its_parameters_are_texts_for_the_contact() {
        let parameters = json!({"header.1": "b"});
        let fallback = json!({"template": {"name": "hello", "parameters": parameters}});
        let content = content(&json!({"type": "text", "text": "a", "fallback": fallback}));
        let texts: Vec<(String, &str)> = content.texts().collect();
        let expected = [("/text".to_owned(), "a"), ("/fallback/template/parameters/header.1".to_owned(), "b")];
        assert_eq!(texts, expected);
        let upper: Result<Content, ()> = content.try_map_texts(|text| Ok(text.to_uppercase()));
        let fallback = upper.expect("nothing fails").fallback.expect("it has a fallback");
        assert_eq!((fallback.name.as_str(), fallback.parameters["header.1"].as_str()), ("hello", "B"));
    }
}
