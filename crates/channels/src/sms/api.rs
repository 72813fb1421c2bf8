//! Calls of Twilio's API, <https://www.twilio.com/docs/usage/requests-to-twilio>.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::Value;
use tidings_domain::channels::{FetchFailure, FetchedMedia};
use tidings_egress::{
    Body, Bounds, CallError, Egress, HeaderMap, HeaderName, HeaderValue, Method, SecretUrl, StreamedCall,
};
use url::form_urlencoded::Serializer;

use crate::api::{self, SHOWN, exchange, read_retry_after};
use crate::media::download;

/// The address of the API of accounts.
const API: &str = "https://api.twilio.com";
/// The address of the API of messaging services.
const MESSAGING: &str = "https://messaging.twilio.com";

/// The bounds of a call. A response may be a list of messages.
pub(super) const BOUNDS: Bounds = Bounds { max_body: 1024 * 1024, ..api::BOUNDS };

/// The user name and the password of a call.
#[derive(Clone)]
pub(super) struct Login {
    pub(super) user: String,
    pub(super) password: String,
}

/// An account of Twilio with its secrets. It has no `Debug`, because it contains them.
pub(super) struct Account<'e> {
    pub(super) egress: &'e Egress,
    pub(super) bounds: Bounds,
    pub(super) base_url: Option<&'e str>,
    /// The ID of the account.
    pub(super) sid: &'e str,
    /// The auth token, which also signs requests.
    pub(super) token: String,
    /// An API key, which logs in instead of the token.
    pub(super) key: Option<Login>,
}

/// A response of the API.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reply {
    /// The HTTP status.
    pub(super) status: u16,
    /// The object, if the call succeeded.
    pub(super) result: Option<Value>,
    /// The error code, <https://www.twilio.com/docs/api/errors>.
    pub(super) code: Option<i64>,
    /// The message of an error, without secrets and control characters.
    pub(super) message: String,
    /// The time to wait until the next call.
    pub(super) retry_after: Option<Duration>,
}

/// A member of a form or a query.
pub(super) type Member = (&'static str, String);

impl Account<'_> {
    fn owner(&self) -> Login {
        Login { user: self.sid.to_owned(), password: self.token.clone() }
    }

    fn caller(&self) -> Login {
        self.key.clone().unwrap_or_else(|| self.owner())
    }

    /// Reads the account itself. Only its token can do that, so the call also checks the token.
    pub(super) async fn read_account(&self) -> Result<Reply, CallError> {
        let url = format!("{}/2010-04-01/Accounts/{}.json", self.base(API), self.sid);
        self.call(&self.owner(), (Method::GET, url), None).await
    }

    /// Reads a resource of the account, such as `IncomingPhoneNumbers.json`, with this query.
    pub(super) async fn read(&self, resource: &str, query: &[Member]) -> Result<Reply, CallError> {
        let query = written(query);
        let url = format!("{}/2010-04-01/Accounts/{}/{resource}?{query}", self.base(API), self.sid);
        self.call(&self.caller(), (Method::GET, url), None).await
    }

    /// Creates or changes a resource of the account.
    pub(super) async fn write(&self, resource: &str, form: &[Member]) -> Result<Reply, CallError> {
        let url = format!("{}/2010-04-01/Accounts/{}/{resource}", self.base(API), self.sid);
        self.call(&self.caller(), (Method::POST, url), Some(written(form))).await
    }

    /// Reads a messaging service.
    pub(super) async fn read_service(&self, sid: &str) -> Result<Reply, CallError> {
        let url = format!("{}/v1/Services/{sid}", self.base(MESSAGING));
        self.call(&self.caller(), (Method::GET, url), None).await
    }

    /// Reads the first numbers of a messaging service, at most `limit`.
    pub(super) async fn read_service_numbers(&self, sid: &str, limit: usize) -> Result<Reply, CallError> {
        let url = format!("{}/v1/Services/{sid}/PhoneNumbers?PageSize={limit}", self.base(MESSAGING));
        self.call(&self.caller(), (Method::GET, url), None).await
    }

    /// Downloads a file of at most `limit` bytes. `resource` is its path below the account. Twilio redirects to another
    /// host, which does not get the login.
    ///
    /// # Errors
    /// [`FetchFailure`], without the login.
    pub(super) async fn download(&self, resource: &str, limit: u64) -> Result<FetchedMedia, FetchFailure> {
        let url = format!("{}/2010-04-01/Accounts/{}/{resource}", self.base(API), self.sid);
        let mut call = StreamedCall::new(Method::GET, SecretUrl::new(url));
        call.headers = headers(&self.caller(), false);
        call.bounds = self.bounds;
        download(self.egress, call, limit).await
    }

    fn base<'b>(&'b self, default: &'b str) -> &'b str {
        self.base_url.unwrap_or(default).trim_end_matches('/')
    }

    async fn call(
        &self,
        login: &Login,
        (method, url): (Method, String),
        form: Option<String>,
    ) -> Result<Reply, CallError> {
        let mut call = StreamedCall::new(method, SecretUrl::new(url));
        call.headers = headers(login, form.is_some());
        call.body = form.map_or_else(Body::empty, |form| Body::from(Bytes::from(form)));
        call.bounds = self.bounds;
        let (status, headers, body) = exchange(self.egress, call).await?;
        Ok(Reply::read(status, &headers, &body, &self.secrets()))
    }

    fn secrets(&self) -> Vec<&str> {
        let key = self.key.as_ref().map(|key| key.password.as_str());
        [Some(self.token.as_str()), key].into_iter().flatten().filter(|secret| !secret.is_empty()).collect()
    }
}

fn written(form: &[Member]) -> String {
    Serializer::new(String::new()).extend_pairs(form).finish()
}

/// Returns the headers of a call. A login is always base64, so it is a valid header.
fn headers(login: &Login, has_form: bool) -> HeaderMap {
    let encoded = STANDARD.encode(format!("{}:{}", login.user, login.password));
    let authorization = HeaderValue::from_str(&format!("Basic {encoded}")).ok().map(|mut value| {
        value.set_sensitive(true);
        (HeaderName::from_static("authorization"), value)
    });
    let form = (HeaderName::from_static("content-type"), HeaderValue::from_static("application/x-www-form-urlencoded"));
    authorization.into_iter().chain(Some(form).filter(|_| has_form)).collect()
}

impl Reply {
    fn read(status: u16, headers: &HeaderMap, body: &[u8], secrets: &[&str]) -> Self {
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        let is_ok = (200..=299).contains(&status) && body.is_object();
        // PostgreSQL stores no NUL in texts.
        let message = body.get("message").and_then(Value::as_str).unwrap_or_default();
        let message: String = message.chars().filter(|c| !c.is_control()).collect();
        let message = secrets.iter().fold(message, |message, secret| message.replace(*secret, "(hidden)"));
        Self {
            status,
            code: body.get("code").and_then(Value::as_i64).filter(|_| !is_ok),
            message: message.chars().take(SHOWN).collect(),
            retry_after: read_retry_after(headers),
            result: Some(body).filter(|_| is_ok),
        }
    }

    /// Describes the response as a sentence.
    pub(super) fn sentence(&self) -> String {
        let code = self.code.map(|code| format!(" (error {code})")).unwrap_or_default();
        match self.message.is_empty() {
            true => format!("Twilio answered {}{code}.", self.status),
            false => format!("Twilio answered {}{code}: {}.", self.status, self.message.trim_end_matches('.')),
        }
    }

    /// Whether Twilio does not accept the login.
    pub(super) fn rejects_the_login(&self) -> bool {
        self.status == 401 || self.code == Some(20003)
    }

    /// Returns a text of the object.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.result.as_ref()?.get(name)?.as_str()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn shows_an_error_without_secrets_and_control_characters() {
        let body = json!({"code": 20003, "message": "Not\0 the\r\n token s3cret\0-token."}).to_string();
        let reply = Reply::read(401, &HeaderMap::new(), body.as_bytes(), &["s3cret-token"]);
        assert_eq!(reply.sentence(), "Twilio answered 401 (error 20003): Not the token (hidden).");
        assert!(reply.rejects_the_login());
    }
}
