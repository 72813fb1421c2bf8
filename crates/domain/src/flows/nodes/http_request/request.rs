//! What is called: the node's texts rendered, and held against what secrets allow.

use std::collections::BTreeSet;

use serde_json::{Map, Value};
use url::Url;

use super::headers::{IDEMPOTENCY_KEY, is_value};
use super::{Body, HttpRequest, OpenSecrets};
use crate::flows::caller::{Called, HttpCall};
use crate::flows::definition::Fields;
use crate::flows::template::SECRETS;
use crate::flows::{Template, TemplateError};

/// The most bytes of a body.
const MAX_BODY: usize = 64 * 1_024;
/// What calls of flows call themselves, unless the node says otherwise.
const USER_AGENT: &str = "Tidings-Flows/1";

/// The code of a text that uses a secret in another way than as an output of its own.
pub(in crate::flows) const SECRET_NOT_BARE: &str = "secret_not_bare";

/// What stands before the name of a secret.
const BEFORE_NAME: &str = "secrets.";

/// Reads the field `url`. Where its host is written out, it must be an address.
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

/// The text up to its first template, where the host stands before that.
fn literal_start(text: &str) -> Option<&str> {
    let end = ["{{", "{%", "{#"].into_iter().filter_map(|begin| text.find(begin)).min();
    let Some(end) = end else { return Some(text) };
    let start = text.get(..end)?;
    let (_, rest) = start.split_once("://")?;
    rest.contains(['/', '?', '#', '\\']).then_some(start)
}

/// The names of the secrets that a template looks up; of one that goes over all of them or works a name out, `None` is one.
pub(in crate::flows) fn secrets_in(template: &Template) -> BTreeSet<Option<String>> {
    let names = template.names().into_iter();
    names
        .filter(|name| name == SECRETS || name.starts_with(BEFORE_NAME))
        .map(|name| name.strip_prefix(BEFORE_NAME).and_then(|rest| rest.split('.').next()).map(ToOwned::to_owned))
        .collect()
}

impl HttpRequest {
    /// The host of its address, where that is written out.
    pub(in crate::flows) fn literal_host(&self) -> Option<String> {
        let url = Url::parse(literal_start(self.url.source())?).ok()?;
        url.host_str().map(ToOwned::to_owned)
    }

    /// Its address, where all of it is written out.
    pub(in crate::flows) fn literal_url(&self) -> Option<&str> {
        Some(self.url.source()).filter(|text| !Template::stands_in(text))
    }

    fn templates(&self) -> impl Iterator<Item = &Template> {
        let headers = self.headers.iter().map(|(_, value)| value);
        [&self.url].into_iter().chain(headers).chain(self.body.iter().flat_map(Body::templates))
    }

    /// The names of the secrets that stand in it.
    pub fn secrets(&self) -> BTreeSet<String> {
        self.templates().flat_map(secrets_in).flatten().collect()
    }

    /// Why it is not called at all: it works on a secret instead of sending it. A version that was published before this
    /// was refused may contain such a text.
    pub fn secret_misuse(&self) -> Option<Called> {
        let TemplateError(why) = self.templates().find_map(Template::secret_misuse)?;
        Some(Called::failed(SECRET_NOT_BARE, why))
    }

    /// The call, from what its templates see; `key` tells the receiver which one it is, however often it comes.
    ///
    /// # Errors
    /// Why it cannot be made, without any secret, and without the host that a secret is not for.
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

/// What is wrong with a text, for the author. Of one in which a secret stands no more than that: a filter may repeat in its
/// error what it was given.
fn untold(what: &str, template: &Template, error: &TemplateError) -> Called {
    let why = match secrets_in(template).is_empty() {
        true => error.to_string(),
        false => "the reason is hidden because the text contains a secret".to_owned(),
    };
    Called::failed("template_error", format!("{what} cannot be rendered: {why}"))
}
