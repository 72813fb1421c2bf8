//! URLs that contain a secret, such as `https://api.telegram.org/bot<token>/getMe` or a signed link to a file.

use std::fmt;

use url::Url;

/// A URL with a secret path and query. `Debug` and `Display` show only the scheme, the host and the port.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretUrl(String);

impl SecretUrl {
    /// Wraps the text of a URL. It is checked when it is called.
    pub fn new(url: impl Into<String>) -> Self {
        Self(url.into())
    }

    /// The whole URL. The caller must not log it or return it to a user.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl From<String> for SecretUrl {
    fn from(url: String) -> Self {
        Self(url)
    }
}

impl From<&str> for SecretUrl {
    fn from(url: &str) -> Self {
        Self(url.to_owned())
    }
}

impl fmt::Display for SecretUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = Url::parse(&self.0).ok();
        let shown = url.as_ref().and_then(|url| Some((url.scheme(), url.host()?, url.port())));
        match shown {
            Some((scheme, host, Some(port))) => write!(out, "{scheme}://{host}:{port}/(hidden)"),
            Some((scheme, host, None)) => write!(out, "{scheme}://{host}/(hidden)"),
            None => out.write_str("(hidden)"),
        }
    }
}

impl fmt::Debug for SecretUrl {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "SecretUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_only_scheme_host_and_port() {
        for (url, shown) in [
            ("https://api.telegram.org/bot42:hunter2/sendMessage", "https://api.telegram.org/(hidden)"),
            ("https://files.test:8443/a?sig=hunter2#hunter2", "https://files.test:8443/(hidden)"),
            ("https://hunter2:hunter2@files.test/", "https://files.test/(hidden)"),
            ("https://[2001:db8::1]/hunter2", "https://[2001:db8::1]/(hidden)"),
            ("hunter2", "(hidden)"),
            ("bot:hunter2", "(hidden)"),
            ("data:text/plain,hunter2", "(hidden)"),
        ] {
            let secret = SecretUrl::new(url);
            assert_eq!(secret.to_string(), shown);
            assert_eq!(format!("{secret:?}"), format!("SecretUrl({shown})"));
            assert_eq!(secret.expose(), url);
        }
    }
}
