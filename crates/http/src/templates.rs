//! `/templates`: texts of flows and sequences, tried before anybody gets them.

use serde::Serialize;
use serde_json::{Map, Value};
use tidings_domain::body;
use tidings_domain::contacts::ContactRef;
use tidings_domain::conversations::MAX_TEXT;
use tidings_domain::flows::{RenderTemplate, RenderedTemplate};
use tidings_domain::read::{any, entries, text};
use utoipa::ToSchema;

use crate::answer::Answer;
use crate::contacts::reference;
use crate::problem::Problem;
use crate::request::Cx;

body! {
    /// A text to be tried.
    struct RenderBody as "RenderTemplate" {
        /// The text, as a message of a flow has it.
        required template: String = text(1..=MAX_TEXT);
        /// Who would get it: a contact's id, or `external_id:…`, `email:…` or `phone:…`; somebody of whom nothing is known
        /// when absent.
        nullable contact_id: ContactRef = reference();
        /// What the text finds under `vars`.
        optional vars: Vec<(String, Value)> = entries(100, any());
        /// What the text finds under `event`: what a webhook has under `data`, with `type` and `timestamp`.
        nullable event: Vec<(String, Value)> = entries(100, any());
    }
}

/// A text as a contact would get it.
#[derive(Serialize, ToSchema)]
#[schema(as = RenderedTemplate)]
struct RenderedView {
    /// The text.
    text: String,
    /// The names that it looks up and nothing has, such as a misspelled one: nothing stands in their place, whoever gets it.
    #[schema(example = json!(["contact.frist_name"]))]
    unknown_names: Vec<String>,
}

/// Renders a text as it would be sent to a contact now.
///
/// Nothing is changed, sent or counted. What a send would fail with is told at `/template`.
#[utoipa::path(post, path = "/api/v1/templates/render", tag = "Flows", request_body = RenderBody,
    responses((status = 200, description = "The text.", body = RenderedView)))]
pub async fn render(cx: Cx) -> Result<Answer, Problem> {
    let RenderBody { template, contact_id, vars, event } = cx.body()?;
    let vars = Map::from_iter(vars.unwrap_or_default());
    let event = event.map(|members| Value::Object(Map::from_iter(members)));
    let request = RenderTemplate { template, contact: contact_id, vars, event };
    let RenderedTemplate { text, unknown_names } = cx.services().templates.render(cx.access(), &request).await?;
    Ok(Answer::json(&RenderedView { text, unknown_names }))
}

#[cfg(test)]
mod tests {
    use tidings_domain::read::parse;

    use super::*;

    fn wrong(body: &str) -> Vec<(String, &'static str)> {
        let read = parse(body.as_bytes()).unwrap().read_body::<RenderBody>();
        read.err().unwrap_or_default().into_iter().map(|wrong| (wrong.pointer, wrong.code)).collect()
    }

    #[test]
    fn all_that_is_wrong_with_a_request_is_told() {
        let right = r#"{"template": "Hi", "contact_id": "email:ada@example.com", "vars": {"a": [1]}, "event": null}"#;
        assert_eq!(wrong(right), []);
        let many: Vec<String> = (0..101).map(|n| format!(r#""k{n}": 1"#)).collect();
        let body =
            format!(r#"{{"contact_id": "Ada", "vars": {{{}}}, "event": "order.paid", "text": "x"}}"#, many.join(","));
        let expected = [
            ("/template", "required"),
            ("/contact_id", "invalid_id"),
            ("/vars", "too_many"),
            ("/event", "wrong_type"),
            ("/text", "unknown_field"),
        ];
        assert_eq!(wrong(&body), expected.map(|(pointer, code)| (pointer.to_owned(), code)));
        let long = format!(r#"{{"template": "{}"}}"#, "x".repeat(4_097));
        assert_eq!(wrong(&long), [("/template".to_owned(), "too_long")]);
    }
}
