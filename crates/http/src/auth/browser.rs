//! What the headers of a request tell about the browser or program that makes it.

use actix_web::http::header::{HeaderMap, USER_AGENT};
use tidings_domain::access::UserAgent;

use super::cookie::{self, Form};
use super::origin::Page;

/// A browser or program that comes to `/auth`.
pub(crate) struct Browser {
    /// The page that makes the request.
    pub(super) page: Page,
    /// The refresh token that it keeps in a cookie.
    pub(super) cookie: Option<(Form, String)>,
    /// What it calls itself.
    pub(super) user_agent: Option<UserAgent>,
}

impl Browser {
    pub(crate) fn read(headers: &HeaderMap) -> Self {
        Self {
            page: Page::read(headers),
            cookie: cookie::presented(headers),
            user_agent: headers.get(USER_AGENT).and_then(|value| UserAgent::read(value.as_bytes())),
        }
    }
}
