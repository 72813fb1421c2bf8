//! `/templates`: trial rendering of texts of flows and sequences.

use serde::Serialize;
use serde_json::{Map, Value};
use tidings_domain::body;
use tidings_domain::contacts::ContactRef;
use tidings_domain::conversations::MAX_TEXT;
use tidings_domain::flows::{RenderTemplate, RenderedTemplate};
use tidings_domain::read::{any, entries, text};
use utoipa::ToSchema;

use crate::contacts::reference;
use crate::request::RequestContext;
use crate::response::answer::Answer;
use crate::response::problem::Problem;

body! {
    /// A template to render.
    struct RenderBody as "RenderTemplate" {
        /// The template, as in messages of flows.
        required template: String = text(1..=MAX_TEXT);
        /// The contact: an ID, or `external_id:…`, `email:…` or `phone:…`. If absent, an unknown contact.
        nullable contact_id: ContactRef = reference();
        /// Variables for the template, under `vars`.
        optional vars: Vec<(String, Value)> = entries(100, any());
        /// The event for the template, under `event`: the `data` of a webhook, with `type` and `timestamp`.
        nullable event: Vec<(String, Value)> = entries(100, any());
    }
}

/// A rendered text.
#[derive(Serialize, ToSchema)]
#[schema(as = RenderedTemplate)]
struct RenderedView {
    /// The rendered text.
    text: String,
    /// Names that the template uses and that do not exist, such as misspelled names. They render as empty text for
    /// every contact.
    #[schema(example = json!(["contact.frist_name"]))]
    unknown_names: Vec<String>,
}

/// Render a template.
///
/// Returns the text as it would be sent to the contact now; nothing is changed, sent or counted. An error that would
/// prevent sending is reported at `/template`.
#[utoipa::path(post, path = "/api/v1/templates/render", tag = "Flows", request_body = RenderBody,
    responses((status = 200, description = "The rendered text.", body = RenderedView)))]
pub async fn render(cx: RequestContext) -> Result<Answer, Problem> {
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
    fn reports_all_errors_of_a_request() {
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
