//! The cookie with the refresh token of a browser. Scripts cannot read it, pages of other sites cannot send it, and it
//! is sent only to the one route that needs it.

use actix_web::http::header::{COOKIE, HeaderMap};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Sent only over https.
    Secure,
    /// For http on the same machine. Browsers differ in whether they accept a secure cookie there.
    Loopback,
}

impl Form {
    const fn name(self) -> &'static str {
        match self {
            Self::Secure => "__Secure-tidings_refresh",
            Self::Loopback => "tidings_refresh",
        }
    }

    /// Returns the value of `Set-Cookie` that stores this token; `seconds` is its lifetime (RFC 6265, section 4.1).
    pub(super) fn keeping(self, token: &str, seconds: u64) -> String {
        let secure = match self {
            Self::Secure => " Secure;",
            Self::Loopback => "",
        };
        let name = self.name();
        format!("{name}={token}; HttpOnly;{secure} SameSite=Strict; Path=/auth/refresh; Max-Age={seconds}")
    }

    /// Returns the value of `Set-Cookie` that removes the cookie.
    pub(super) fn removing(self) -> String {
        self.keeping("", 0)
    }
}

/// Returns the refresh token of the request's cookies and the form of its cookie.
///
/// The secure form comes first. Of several cookies with the same name, the first is used: browsers send the most
/// specific path first. The value is not validated here; an invalid token is rejected later.
pub(super) fn presented(headers: &HeaderMap) -> Option<(Form, String)> {
    [Form::Secure, Form::Loopback].into_iter().find_map(|form| Some((form, find(headers, form.name())?)))
}

fn find(headers: &HeaderMap, name: &str) -> Option<String> {
    let pairs = headers.get_all(COOKIE).flat_map(|line| line.as_bytes().split(|byte| *byte == b';'));
    let mut named = pairs.filter_map(|pair| pair.trim_ascii().strip_prefix(name.as_bytes())?.strip_prefix(b"="));
    named.next().map(|value| String::from_utf8_lossy(value).into_owned())
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    type Lines<'a> = &'a [&'a [u8]];

    fn headers(lines: Lines<'_>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(COOKIE, HeaderValue::from_bytes(line).unwrap());
        }
        headers
    }

    #[test]
    fn sets_and_removes_the_cookie_with_the_same_attributes() {
        assert_eq!(
            Form::Secure.keeping("tdg_token_x", 60),
            "__Secure-tidings_refresh=tdg_token_x; HttpOnly; Secure; SameSite=Strict; Path=/auth/refresh; Max-Age=60"
        );
        assert_eq!(
            Form::Loopback.keeping("tdg_token_x", 60),
            "tidings_refresh=tdg_token_x; HttpOnly; SameSite=Strict; Path=/auth/refresh; Max-Age=60"
        );
        assert_eq!(
            Form::Secure.removing(),
            "__Secure-tidings_refresh=; HttpOnly; Secure; SameSite=Strict; Path=/auth/refresh; Max-Age=0"
        );
        assert_eq!(
            Form::Loopback.removing(),
            "tidings_refresh=; HttpOnly; SameSite=Strict; Path=/auth/refresh; Max-Age=0"
        );
    }

    #[test]
    fn finds_the_cookie_among_others_by_its_exact_name() {
        const SECURE: Form = Form::Secure;
        const LOOPBACK: Form = Form::Loopback;
        let huge = [b"tidings_refresh=".as_slice(), &[b'x'; 9_000]].concat();
        let long = "x".repeat(9_000);
        let table: [(Lines<'_>, Option<(Form, &str)>); 15] = [
            (&[], None),
            (&[b""], None),
            (&[b";;; =; tidings_refresh"], None),
            (&[b"tidings_refresh=a"], Some((LOOPBACK, "a"))),
            (&[b"__Secure-tidings_refresh=a"], Some((SECURE, "a"))),
            (&[b"x=1; tidings_refresh=a ;y=2"], Some((LOOPBACK, "a"))),
            (&[b"tidings_refresh=a; __Secure-tidings_refresh=b"], Some((SECURE, "b"))),
            (&[b"tidings_refresh=a", b"__Secure-tidings_refresh=b"], Some((SECURE, "b"))),
            (&[b"tidings_refresh=a; tidings_refresh=b"], Some((LOOPBACK, "a"))),
            (&[b"tidings_refresh=a=b"], Some((LOOPBACK, "a=b"))),
            (&[b"tidings_refresh="], Some((LOOPBACK, ""))),
            (&[b"Tidings_Refresh=a; xtidings_refresh=b; tidings_refresh2=c"], None),
            (&[b"other=tidings_refresh=a"], None),
            (&[b"tidings_refresh=\xff\xfe"], Some((LOOPBACK, "\u{fffd}\u{fffd}"))),
            (&[&huge], Some((LOOPBACK, &long))),
        ];
        for (lines, found) in table {
            let found = found.map(|(form, token)| (form, token.to_owned()));
            assert_eq!(presented(&headers(lines)), found, "{lines:?}");
        }
    }
}
