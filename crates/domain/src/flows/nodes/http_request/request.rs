//! Builds the request: renders the node's templates and checks the use of secrets.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use url::Url;

use super::headers::{IDEMPOTENCY_KEY, is_value};
use super::{Body, HttpRequest, OpenSecrets};
use crate::flows::caller::{Called, HttpCall};
use crate::flows::definition::{Fields, FlowFields};
use crate::flows::template::SECRETS;
use crate::flows::{Template, TemplateError};

/// Maximum size of a body in bytes.
const MAX_BODY: usize = 64 * 1_024;
/// Default `User-Agent`.
const USER_AGENT: &str = "Tidings-Flows/1";

/// Error code for a text that uses a secret in any other way than as an entire output.
pub(in crate::flows) const SECRET_NOT_BARE: &str = "secret_not_bare";

/// Prefix of a secret's name in templates.
const BEFORE_NAME: &str = "secrets.";

/// Reads the field `url`. A URL with a literal host must be absolute.
pub(super) fn read_url(fields: &mut Fields<'_>) -> Option<Template> {
    let text = fields.text("url")?;
    let template = fields.template_with_secrets("/url", text)?;
    let address = literal_start(text);
    let is_address = |url: Url| ["https", "http"].contains(&url.scheme()) && url.host_str().is_some();
    if address.is_some_and(|address| !Url::parse(address).is_ok_and(is_address)) {
        fields.wrong("url", "invalid_format", "expected an absolute URL such as https://api.example.com/orders");
        return None;
    }
    Some(template)
}

/// Returns the text up to its first template; `None` if the host comes after that.
fn literal_start(text: &str) -> Option<&str> {
    let end = ["{{", "{%", "{#"].into_iter().filter_map(|begin| text.find(begin)).min();
    let Some(end) = end else { return Some(text) };
    let start = text.get(..end)?;
    let (_, rest) = start.split_once("://")?;
    rest.contains(['/', '?', '#', '\\']).then_some(start)
}

/// Returns the names of the secrets that a template uses; `None` is an access to all secrets or to a computed name.
pub(in crate::flows) fn secrets_in(template: &Template) -> BTreeSet<Option<String>> {
    let names = template.names().into_iter();
    names
        .filter(|name| name == SECRETS || name.starts_with(BEFORE_NAME))
        .map(|name| name.strip_prefix(BEFORE_NAME).and_then(|rest| rest.split('.').next()).map(ToOwned::to_owned))
        .collect()
}

impl HttpRequest {
    /// Returns the host of its URL, if it is literal.
    pub(in crate::flows) fn literal_host(&self) -> Option<String> {
        let url = Url::parse(literal_start(self.url.source())?).ok()?;
        url.host_str().map(ToOwned::to_owned)
    }

    /// Returns its URL, if it contains no template.
    pub(in crate::flows) fn literal_url(&self) -> Option<&str> {
        Some(self.url.source()).filter(|text| !Template::stands_in(text))
    }

    fn templates(&self) -> impl Iterator<Item = &Template> {
        let headers = self.headers.iter().map(|(_, value)| value);
        [&self.url].into_iter().chain(headers).chain(self.body.iter().flat_map(Body::templates))
    }

    /// Returns the names of the secrets that it uses.
    pub fn secrets(&self) -> BTreeSet<String> {
        self.templates().flat_map(secrets_in).flatten().collect()
    }

    /// Returns the failure if it processes a secret instead of sending it unchanged. Versions published by older
    /// releases may do so.
    pub fn secret_misuse(&self) -> Option<Called> {
        let TemplateError(why) = self.templates().find_map(Template::secret_misuse)?;
        Some(Called::failed(SECRET_NOT_BARE, why))
    }

    /// Builds the request from the template values. `key` is the idempotency key, the same for each retry.
    ///
    /// # Errors
    /// The reason, without secrets, and without a host that a secret may not be sent to.
    pub fn prepare(
        &self,
        mut values: Map<String, Value>,
        secrets: &OpenSecrets,
        key: String,
    ) -> Result<HttpCall, Called> {
        if let Some(refused) = self.secret_misuse() {
            return Err(refused);
        }
        if let Some(missing) = self.secrets().into_iter().find(|name| !secrets.has(name)) {
            return Err(Called::failed("secret_missing", format!("the secret {missing} no longer exists")));
        }
        values.insert(SECRETS.to_owned(), secrets.in_templates());
        let url = self.url.render_value(&values).map_err(|error| untold("the url", &self.url, &error))?;
        let invalid = |what: &str| Called::failed("invalid_request", what);
        let url = Url::parse(url.trim()).map_err(|_| invalid("the url is not an absolute URL"))?;
        let host = url.host_str().ok_or_else(|| invalid("the url has no host"))?;
        if let Some(name) = secrets.not_for(host) {
            let message = format!("the secret {name} may not be sent to the host of the url");
            return Err(Called::failed("secret_not_for_host", message));
        }
        let mut headers = Vec::new();
        for (name, template) in &self.headers {
            let what = format!("the header {name}");
            let value = template.render_value(&values).map_err(|error| untold(&what, template, &error))?;
            let value = value.trim();
            if !is_value(value) {
                return Err(invalid(&format!("{what} must contain only visible ASCII characters in one line")));
            }
            if !value.is_empty() {
                headers.push((name.clone(), value.to_owned()));
            }
        }
        let body = self.body.as_ref().map(|body| body.render(&values)).transpose();
        let body = body.map_err(|(template, error)| untold("the body", template, &error))?;
        if body.as_ref().is_some_and(|body| body.len() > MAX_BODY) {
            return Err(invalid(&format!("the body is longer than {MAX_BODY} bytes")));
        }
        let content_type = self.body.as_ref().map(|body| ("content-type", body.content_type()));
        for (name, value) in content_type.into_iter().chain([("user-agent", USER_AGENT)]) {
            if !headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name)) {
                headers.push((name.to_owned(), value.to_owned()));
            }
        }
        headers.push((IDEMPOTENCY_KEY.to_owned(), key));
        Ok(HttpCall { method: self.method, url: url.into(), headers, body, node: String::new() })
    }
}

/// Returns the error of a text for the author. The reason is hidden if the text uses a secret, because filters may
/// repeat their input in an error.
fn untold(what: &str, template: &Template, error: &TemplateError) -> Called {
    let why = match secrets_in(template).is_empty() {
        true => error.to_string(),
        false => "the reason is hidden because the text contains a secret".to_owned(),
    };
    Called::failed("template_error", format!("{what} cannot be rendered: {why}"))
}
