//! Pages that may store a refresh token in a cookie: this server's own, over https or on this machine.
//!
//! A browser sends a cookie with requests of every page, so the request must prove that the page is this server's.
//! `Origin` proves it, because no page can set it. The server itself only speaks http; `Origin` also shows whether the
//! browser used https.

use actix_web::http::header::{HOST, HeaderMap, HeaderName, ORIGIN};
use tidings_domain::Violation;
use url::Host;

use super::cookie::Form;
use super::origin::{Origin, authority, is_loopback};
use crate::response::problem::{Code, Problem};

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The reason why a page cannot get or use the cookie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The page is not this server's own.
    Foreign,
    /// The cookie could be read on the way.
    Insecure,
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Foreign => Self::new(Code::ForeignOrigin),
            Refusal::Insecure => {
                let why = "requires https, or a page of this machine such as http://localhost";
                Self::invalid(vec![Violation::new("/cookie", "insecure", why)])
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum OriginHeader {
    Nothing,
    /// The header is `null`, repeated, or not an http or https origin.
    Nonsense,
    Origin(Origin),
}

/// The page that makes a request, as described by its headers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Page {
    stated: OriginHeader,
    /// The server's name in `Host`.
    host: Option<(Host, Option<u16>)>,
    /// Whether `Sec-Fetch-Site` says that page and server have the same origin.
    is_same_origin: bool,
}

impl Page {
    pub(super) fn read(headers: &HeaderMap) -> Self {
        Self::of(only(headers, &ORIGIN), only(headers, &HOST), only(headers, &FETCH_SITE))
    }

    /// Returns the page for the values of `Origin`, `Host` and `Sec-Fetch-Site`.
    fn of(origin: Value<'_>, host: Value<'_>, fetch_site: Value<'_>) -> Self {
        let stated = match origin {
            Value::Absent => OriginHeader::Nothing,
            Value::Unreadable => OriginHeader::Nonsense,
            Value::Is(text) => text.parse().map_or(OriginHeader::Nonsense, OriginHeader::Origin),
        };
        let host = if let Value::Is(text) = host { authority(text) } else { None };
        Self { stated, host, is_same_origin: fetch_site == Value::Is("same-origin") }
    }

    /// Returns the form of the cookie that the page can get. `public` is the address at which browsers reach this
    /// server, if it differs from `Host`.
    pub(super) fn form(&self, public: Option<&Origin>) -> Result<Form, Refusal> {
        match &self.stated {
            OriginHeader::Origin(origin) if self.is_at(origin) || public == Some(origin) => {
                origin.form().ok_or(Refusal::Insecure)
            }
            OriginHeader::Origin(_) | OriginHeader::Nonsense => Err(Refusal::Foreign),
            OriginHeader::Nothing if self.host.as_ref().is_some_and(|(host, _)| is_loopback(host)) => {
                Ok(Form::Loopback)
            }
            OriginHeader::Nothing => Err(Refusal::Insecure),
        }
    }

    /// Checks whether the page may use its cookie.
    pub(super) fn may_use_cookie(&self, public: Option<&Origin>) -> Result<(), Refusal> {
        match &self.stated {
            // Some browsers omit `Origin` for requests to the same origin and send `Sec-Fetch-Site` instead.
            OriginHeader::Nothing if self.is_same_origin => Ok(()),
            OriginHeader::Nothing => Err(Refusal::Foreign),
            OriginHeader::Origin(_) | OriginHeader::Nonsense => self.form(public).map(|_| ()),
        }
    }

    /// Returns the forms that its cookie can have: one if the origin is known, otherwise both.
    pub(super) fn possible_forms(&self) -> &'static [Form] {
        let form = if let OriginHeader::Origin(origin) = &self.stated { origin.form() } else { None };
        match form {
            Some(Form::Secure) => &[Form::Secure],
            Some(Form::Loopback) => &[Form::Loopback],
            None => &[Form::Secure, Form::Loopback],
        }
    }

    /// Whether the request names this origin in `Host`.
    fn is_at(&self, origin: &Origin) -> bool {
        self.host.as_ref().is_some_and(|(host, port)| origin.is_at(host, *port))
    }
}

/// The value of a header that must occur once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value<'a> {
    Absent,
    /// The header is repeated or not ASCII.
    Unreadable,
    Is(&'a str),
}

fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Value<'a> {
    let mut values = headers.get_all(name);
    match (values.next(), values.next()) {
        (None, _) => Value::Absent,
        (Some(value), None) => value.to_str().map_or(Value::Unreadable, Value::Is),
        (Some(_), Some(_)) => Value::Unreadable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value<'_> {
        if text == "-" { Value::Absent } else { Value::Is(text) }
    }

    /// Returns a page with this `Origin` and `Host`; `-` omits the header.
    fn page(origin: &str, host: &str) -> Page {
        Page::of(value(origin), value(host), Value::Absent)
    }

    #[test]
    fn allows_cookies_for_own_pages_over_https_or_on_loopback() {
        use Refusal::{Foreign, Insecure};
        let table = [
            ("https://tidings.example", "tidings.example", Ok(Form::Secure)),
            ("https://tidings.example", "tidings.example:443", Ok(Form::Secure)),
            ("https://tidings.example:443", "Tidings.Example", Ok(Form::Secure)),
            ("https://tidings.example:8443", "tidings.example:8443", Ok(Form::Secure)),
            ("https://localhost:8443", "localhost:8443", Ok(Form::Secure)),
            ("https://tidings.example:8443", "tidings.example", Err(Foreign)),
            ("https://tidings.example", "tidings.example:80", Err(Foreign)),
            ("https://evil.example", "tidings.example", Err(Foreign)),
            ("https://tidings.example.evil.example", "tidings.example", Err(Foreign)),
            ("https://evil.tidings.example", "tidings.example", Err(Foreign)),
            ("https://tidings.example@evil.example", "tidings.example", Err(Foreign)),
            ("https://tidings.example/", "tidings.example", Err(Foreign)),
            ("https://tidings%2Eexample", "tidings.example", Err(Foreign)),
            ("https://", "tidings.example", Err(Foreign)),
            ("null", "tidings.example", Err(Foreign)),
            ("", "tidings.example", Err(Foreign)),
            ("file://localhost", "localhost", Err(Foreign)),
            ("chrome-extension://abc", "localhost", Err(Foreign)),
            ("https://tidings.example", "-", Err(Foreign)),
            ("http://localhost:8080", "localhost:8080", Ok(Form::Loopback)),
            ("http://localhost", "localhost:80", Ok(Form::Loopback)),
            ("http://panel.localhost:8080", "panel.localhost:8080", Ok(Form::Loopback)),
            ("http://127.0.0.1:8080", "127.0.0.1:8080", Ok(Form::Loopback)),
            ("http://127.200.3.4", "127.200.3.4", Ok(Form::Loopback)),
            ("http://[::1]:8080", "[::1]:8080", Ok(Form::Loopback)),
            ("http://[::1]", "[0:0:0:0:0:0:0:1]", Ok(Form::Loopback)),
            ("http://localhost:8080", "localhost:8081", Err(Foreign)),
            ("http://localhost:8080", "127.0.0.1:8080", Err(Foreign)),
            ("http://localhost:99999", "localhost:99999", Err(Foreign)),
            ("http://tidings.example", "tidings.example", Err(Insecure)),
            ("http://192.168.1.7:8080", "192.168.1.7:8080", Err(Insecure)),
            ("http://[fe80::1]:8080", "[fe80::1]:8080", Err(Insecure)),
            ("http://notlocalhost", "notlocalhost", Err(Insecure)),
            ("http://localhost.example", "localhost.example", Err(Insecure)),
            ("http://evil.example", "tidings.example", Err(Foreign)),
            ("-", "localhost:8080", Ok(Form::Loopback)),
            ("-", "127.0.0.1:8080", Ok(Form::Loopback)),
            ("-", "[::1]", Ok(Form::Loopback)),
            ("-", "tidings.example", Err(Insecure)),
            ("-", "localhost@evil.example", Err(Insecure)),
            ("-", "", Err(Insecure)),
            ("-", "-", Err(Insecure)),
        ];
        for (origin, host, form) in table {
            assert_eq!(page(origin, host).form(None), form, "{origin} at {host}");
        }
    }

    #[test]
    fn accepts_the_public_address_whatever_the_host_header_says() {
        let public = Origin::of_url("https://tidings.example/").unwrap();
        let form = |origin, host| page(origin, host).form(Some(&public));
        assert_eq!(form("https://tidings.example", "10.0.0.3:8080"), Ok(Form::Secure));
        assert_eq!(form("https://tidings.example:443", "-"), Ok(Form::Secure));
        assert_eq!(form("http://tidings.example", "10.0.0.3:8080"), Err(Refusal::Foreign), "another scheme is foreign");
        assert_eq!(form("https://evil.example", "10.0.0.3:8080"), Err(Refusal::Foreign));
        assert_eq!(form("http://localhost:8080", "localhost:8080"), Ok(Form::Loopback), "loopback is still accepted");
        let inside = Origin::of_url("http://tidings.lan").unwrap();
        assert_eq!(page("http://tidings.lan", "10.0.0.3").form(Some(&inside)), Err(Refusal::Insecure));
    }

    #[test]
    fn treats_unreadable_headers_as_foreign() {
        let unreadable = Page::of(Value::Unreadable, Value::Is("localhost"), Value::Is("same-origin"));
        assert_eq!(unreadable.form(None), Err(Refusal::Foreign));
        assert_eq!(unreadable.may_use_cookie(None), Err(Refusal::Foreign));
        let hostless = Page::of(Value::Is("http://localhost"), Value::Unreadable, Value::Absent);
        assert_eq!(hostless.form(None), Err(Refusal::Foreign));
    }

    #[test]
    fn requires_same_origin_of_fetch_metadata_without_an_origin() {
        let says = |site| Page::of(Value::Absent, Value::Is("tidings.example"), value(site)).may_use_cookie(None);
        assert_eq!(says("same-origin"), Ok(()));
        for site in ["-", "same-site", "cross-site", "none", "same-origin, none", ""] {
            assert_eq!(says(site), Err(Refusal::Foreign), "{site}");
        }
        let lying = Page::of(Value::Is("https://evil.example"), Value::Is("tidings.example"), value("same-origin"));
        assert_eq!(lying.may_use_cookie(None), Err(Refusal::Foreign), "`Origin` takes precedence");
    }

    #[test]
    fn removes_each_form_of_cookie_that_the_page_may_have() {
        let forms = |origin| page(origin, "x").possible_forms();
        assert_eq!(forms("https://tidings.example"), [Form::Secure]);
        assert_eq!(forms("http://localhost"), [Form::Loopback]);
        for unclear in ["-", "null", "http://tidings.example"] {
            assert_eq!(forms(unclear), [Form::Secure, Form::Loopback], "{unclear}");
        }
    }
}
