//! The browser or program that makes a request.

use actix_web::http::header::{HeaderMap, USER_AGENT};
use tidings_domain::access::UserAgent;

use super::cookie::{self, Form};
use super::page::Page;

/// A browser or program that calls `/auth`.
pub(crate) struct Browser {
    pub(super) page: Page,
    /// The refresh token of the cookie.
    pub(super) cookie: Option<(Form, String)>,
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
