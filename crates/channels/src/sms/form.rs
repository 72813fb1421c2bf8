//! The parameters of a request of Twilio.

use std::borrow::Cow;

use serde_json::{Map, Value};
use tidings_domain::channels::InboundRequest;
use url::form_urlencoded::parse;

/// Maximum number of parameters. Twilio sends about 30.
const MAX_PARAMETERS: usize = 500;

/// Parameters in their order; a name can occur several times.
pub(super) struct Parameters<'r>(Vec<(Cow<'r, str>, Cow<'r, str>)>);

impl<'r> Parameters<'r> {
    /// Reads the form in the body; `None` if it has too many parameters.
    pub(super) fn of_form(body: &'r [u8]) -> Option<Self> {
        Self::bounded(parse(body).take(MAX_PARAMETERS + 1).collect())
    }

    /// Reads the query of the URL; `None` if it has too many parameters.
    pub(super) fn of_query(query: &'r str) -> Option<Self> {
        Self::of_form(query.as_bytes())
    }

    /// Reads the body of a request: a form, or a JSON object with texts. `None` if it is neither.
    pub(super) fn of_body(request: &'r InboundRequest) -> Option<Self> {
        if !is_json(request) {
            return Self::of_form(&request.body);
        }
        let object: Map<String, Value> = serde_json::from_slice(&request.body).ok()?;
        let text = |(name, value): (String, Value)| match value {
            Value::String(text) => Some((Cow::Owned(name), Cow::Owned(text))),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => None,
        };
        Self::bounded(object.into_iter().filter_map(text).take(MAX_PARAMETERS + 1).collect())
    }

    /// Returns parameters with these names and values.
    pub(super) fn of_pairs(pairs: Vec<(String, String)>) -> Self {
        Self(pairs.into_iter().map(|(name, value)| (Cow::Owned(name), Cow::Owned(value))).collect())
    }

    fn bounded(parameters: Vec<(Cow<'r, str>, Cow<'r, str>)>) -> Option<Self> {
        (parameters.len() <= MAX_PARAMETERS).then_some(Self(parameters))
    }

    /// Returns the first value of a parameter.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_ref())
    }

    /// Returns all names with their values.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_ref(), value.as_ref()))
    }
}

/// Whether the body of a request is JSON.
pub(super) fn is_json(request: &InboundRequest) -> bool {
    let media_type = request.header("content-type").unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}
