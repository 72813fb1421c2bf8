//! Webhooks and channels. A URL can contain a secret, so only its host is visible; of the rest only the change.

use crate::audit::{AuditObject, Audited, AuditedKind, Facts};
use crate::channels::Channel;
use crate::webhooks::{HeaderValue, Webhook};

impl Audited for Webhook {
    const KIND: AuditedKind = AuditedKind::Webhook;

    /// Webhooks have no name, and the URL is not one.
    fn audited(&self) -> AuditObject {
        AuditObject::of(Self::KIND, &self.id, None)
    }

    fn facts(&self) -> Facts {
        let names: Vec<&str> = self.headers.iter().map(|(name, _)| name).collect();
        let values: Vec<(&str, &[u8])> = self.headers.iter().map(|(name, value)| (name, kept(value))).collect();
        let (host, rest) = parted(&self.url);
        Facts::new()
            .shown("url_host", &host)
            .withheld("url", &rest)
            .shown("events", &self.events.words())
            .shown("description", &self.description)
            .shown("payload", &self.payload)
            .shown("status", &self.status)
            .shown("disabled_reason", &self.disabled_reason)
            .shown("header_names", &names)
            .withheld("headers", &values)
            .withheld("secret", &self.secret)
    }
}

impl Audited for Channel {
    const KIND: AuditedKind = AuditedKind::Channel;

    fn audited(&self) -> AuditObject {
        AuditObject::of(Self::KIND, &self.id, Some(&self.name))
    }

    fn facts(&self) -> Facts {
        let url = self.endpoint.as_ref().and_then(|endpoint| endpoint.text("url"));
        let (host, rest) = url.map(parted).unzip();
        let facts = Facts::new()
            .shown("kind", &self.kind)
            .shown("name", &self.name)
            .shown("is_default", &self.is_default)
            .shown("status", &self.status)
            .shown("while_disconnected", &self.while_disconnected)
            .shown("url_host", &host)
            .withheld("url", &rest);
        let config =
            self.endpoint.as_ref().map(|endpoint| &endpoint.config).filter(|it| it.keys().any(|it| it != "url"));
        let facts = match config {
            Some(config) => facts.withheld("config", config),
            None => facts,
        };
        match &self.endpoint {
            Some(endpoint) => facts.withheld("secrets", &endpoint.secrets),
            None => facts,
        }
    }
}

fn kept(value: &HeaderValue) -> &[u8] {
    match value {
        HeaderValue::Sealed { sealed, .. } => sealed,
        HeaderValue::Plain(text) => text.as_bytes(),
    }
}

/// Returns the host of a URL with its port, and the whole URL.
fn parted(url: &str) -> (&str, &str) {
    let behind_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = behind_scheme.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    (authority.rsplit('@').next().unwrap_or_default(), url)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::{Config, Endpoint, PlainSecrets};
    use crate::testing::a_channel;

    #[test]
    fn records_replaced_secrets_without_them() {
        let with = |secrets: &str| {
            let endpoint = Endpoint {
                config: Config::new(),
                secrets: secrets.as_bytes().to_vec(),
                secret_hints: PlainSecrets::new(),
                inbound_token: Vec::new(),
                inbound_digest: [0; 32],
            };
            Channel { endpoint: Some(endpoint), ..a_channel() }
        };
        let changed = |to: &str| Facts::between(&with("old").facts(), &with(to).facts());
        assert!(changed("old").is_empty());
        let changes = changed("new");
        assert_eq!(changes.keys().collect::<Vec<_>>(), ["secrets"]);
        assert!(changes["secrets"].withheld, "{changes:?}");
    }

    #[test]
    fn shows_only_the_host_of_a_url() {
        for (url, host) in [
            ("https://hooks.example.com/T0/s3cret?token=x", "hooks.example.com"),
            ("https://ada:pass@example.com:8443/", "example.com:8443"),
            ("https://example.com?key=1", "example.com"),
            ("no address", "no address"),
        ] {
            assert_eq!(parted(url).0, host);
        }
    }
}
