//! The templates of a WhatsApp Business account,
//! <https://developers.facebook.com/docs/graph-api/reference/whats-app-business-account/message_templates/>.

use serde_json::Value;
use tidings_domain::channels::{
    ParameterKind, ProviderTemplate, ProviderTemplateButton, ProviderTemplateComponent, ProviderTemplateParameter,
    SetupFailure,
};
use url::form_urlencoded;

use super::Number;
use super::channel_type::MAX_CHARACTERS;
use super::setup::result;

/// The members of a template that are read.
const FIELDS: &str = "name,language,category,status,components";
/// Maximum number of templates of a response. It stays within the bounds of a call.
const PAGE: &str = "50";
/// Maximum number of responses.
const MAX_PAGES: usize = 10;
/// Maximum number of bytes of a cursor.
const MAX_CURSOR: usize = 1_000;
/// Formats of headers with a file.
const MEDIA: [&str; 3] = ["IMAGE", "VIDEO", "DOCUMENT"];

/// Asks for the templates of the account: at most the first 500.
///
/// # Errors
/// [`SetupFailure`].
pub(super) async fn all(number: &Number<'_>) -> Result<Vec<ProviderTemplate>, SetupFailure> {
    let (mut templates, mut after) = (Vec::new(), None);
    for _ in 0..MAX_PAGES {
        let body = result("list_templates", number.graph.get(&path(number.account, after.as_deref())).await)?;
        templates.extend(members(&body, "data").iter().filter_map(template));
        after = next(&body);
        if after.is_none() {
            break;
        }
    }
    Ok(templates)
}

fn path(account: &str, after: Option<&str>) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("fields", FIELDS).append_pair("limit", PAGE);
    if let Some(after) = after {
        query.append_pair("after", after);
    }
    format!("{account}/message_templates?{}", query.finish())
}

/// Returns the cursor of the next page; `None` after the last one.
fn next(body: &Value) -> Option<String> {
    body.pointer("/paging/next")?;
    let cursor = body.pointer("/paging/cursors/after")?.as_str()?;
    (1..=MAX_CURSOR).contains(&cursor.len()).then(|| cursor.to_owned())
}

fn members<'v>(of: &'v Value, name: &str) -> &'v [Value] {
    of.get(name).and_then(Value::as_array).map_or(&[][..], Vec::as_slice)
}

/// Returns a member that is a text, within bounds.
fn text(of: &Value, name: &str) -> Option<String> {
    let text = of.get(name)?.as_str()?;
    Some(text.replace('\0', "").chars().take(MAX_CHARACTERS).collect())
}

/// Returns a template; `None` without a name or a language.
fn template(read: &Value) -> Option<ProviderTemplate> {
    let components: Vec<_> = members(read, "components").iter().filter_map(component).collect();
    Some(ProviderTemplate {
        name: text(read, "name")?,
        language: text(read, "language")?,
        category: text(read, "category").unwrap_or_default(),
        status: text(read, "status").unwrap_or_default(),
        parameters: parameters(&components),
        components,
    })
}

fn component(read: &Value) -> Option<ProviderTemplateComponent> {
    let button = |read: &Value| {
        let (text, url) = (text(read, "text"), text(read, "url"));
        Some(ProviderTemplateButton { kind: self::text(read, "type")?, text, url })
    };
    Some(ProviderTemplateComponent {
        kind: text(read, "type")?,
        format: text(read, "format"),
        text: text(read, "text"),
        buttons: members(read, "buttons").iter().filter_map(button).collect(),
    })
}

/// Returns the parameters of a template, with the names in a message of this service.
fn parameters(components: &[ProviderTemplateComponent]) -> Vec<ProviderTemplateParameter> {
    let parameter = |name: String, kind: ParameterKind| ProviderTemplateParameter { name, kind };
    let mut parameters = Vec::new();
    for ProviderTemplateComponent { kind, format, text, buttons } in components {
        let names = placeholders(text.as_deref().unwrap_or_default()).into_iter();
        match kind.as_str() {
            "HEADER" if format.as_deref().is_some_and(|it| MEDIA.contains(&it)) => {
                parameters.push(parameter("header.media".to_owned(), ParameterKind::Media));
            }
            "HEADER" => parameters.extend(names.map(|it| parameter(format!("header.{it}"), ParameterKind::Text))),
            "BODY" => parameters.extend(names.map(|it| parameter(it.to_owned(), ParameterKind::Text))),
            _ => {}
        }
        for (index, button) in buttons.iter().enumerate() {
            if button.kind == "URL" && button.url.as_deref().is_some_and(|url| !placeholders(url).is_empty()) {
                parameters.push(parameter(format!("button.{index}"), ParameterKind::Text));
            }
        }
    }
    parameters
}

/// Returns the names of the placeholders in a text, such as `1` in `Hello {{1}}`, each once.
fn placeholders(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for part in text.split("{{").skip(1) {
        let name = part.split_once("}}").map_or("", |(name, _)| name.trim());
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if is_name && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn named(components: Value) -> Vec<(String, &'static str)> {
        let read = template(&json!({"name": "a", "language": "de", "components": components})).expect("a template");
        read.parameters.into_iter().map(|it| (it.name, it.kind.as_str())).collect()
    }

    #[test]
    fn names_the_parameters_as_messages_do() {
        let button = |kind: &str, url: &str| json!({"type": kind, "text": "Open", "url": url});
        let components = json!([
            {"type": "HEADER", "format": "TEXT", "text": "Order {{1}}"},
            {"type": "BODY", "text": "Hi {{1}}, {{ 2 }} and {{1}} {{}} {{a b}} {{"},
            {"type": "FOOTER", "text": "Bye {{9}}"},
            {"type": "BUTTONS", "buttons": [
                button("QUICK_REPLY", ""),
                button("URL", "https://shop.example/{{1}}"),
                button("URL", "https://shop.example/"),
            ]},
        ]);
        let text = |name: &str| (name.to_owned(), "text");
        assert_eq!(named(components), [text("header.1"), text("1"), text("2"), text("button.1")]);
        let media = json!([{"type": "HEADER", "format": "IMAGE"}, {"type": "BODY", "text": "Hi {{first_name}}"}]);
        assert_eq!(named(media), [("header.media".to_owned(), "media"), text("first_name")]);
        assert_eq!(named(Value::Null), []);
    }

    #[test]
    fn skips_members_of_another_form() {
        assert_eq!(template(&json!({"name": "a", "language": 7})), None);
        let read = template(&json!({"name": "a", "language": "de", "components": [7, {"type": "BODY", "text": 7}]}));
        let read = read.expect("a template");
        assert_eq!((read.status.as_str(), read.components.len()), ("", 1));
        assert_eq!(read.components[0].text, None);
        let long = template(&json!({"name": "x".repeat(9_000), "language": "de"})).expect("a template");
        assert_eq!(long.name.len(), MAX_CHARACTERS);
    }

    #[test]
    fn reads_the_next_page() {
        let body = json!({"data": [], "paging": {"cursors": {"after": "a+b"}, "next": "https://graph.facebook.com/x"}});
        assert_eq!(next(&body).as_deref(), Some("a+b"));
        assert_eq!(next(&json!({"paging": {"cursors": {"after": "a"}}})), None, "the last page has no next one");
        let query = "fields=name%2Clanguage%2Ccategory%2Cstatus%2Ccomponents&limit=50";
        assert_eq!(path("102290", None), format!("102290/message_templates?{query}"));
        assert_eq!(path("102290", Some("a+b")), format!("102290/message_templates?{query}&after=a%2Bb"));
    }
}
