//! The configuration and the secrets of a channel, as the connector uses them.

use lettre::Address;
use serde_json::Value;
use tidings_domain::channels::{Channel, PlainSecrets, read_secrets, secret_context};
use tidings_domain::ports::Sealer;
use tidings_egress::SmtpTls;

use super::channel_type::{AUTHSERV_ID, INBOUND_SECRET, SMTP_PASSWORD, SMTP_USER, STANDARD_WEBHOOKS, STARTTLS};

/// The settings of a channel. It has no `Debug`, because it contains secrets.
pub(super) struct Settings {
    /// The sender's address.
    pub(super) address: Address,
    /// The sender's name.
    pub(super) name: Option<String>,
    pub(super) host: String,
    pub(super) port: u16,
    pub(super) tls: SmtpTls,
    /// User name and password for the mail server.
    pub(super) log_in: Option<(String, String)>,
    /// The check of inbound requests.
    pub(super) auth: String,
    pub(super) inbound_secret: String,
    /// The name of the server with trusted `Authentication-Results`.
    pub(super) authserv_id: Option<String>,
    pub(super) signature: Option<String>,
}

impl Settings {
    /// Reads the settings of a channel. The error is a sentence for an admin.
    pub(super) fn of(channel: &Channel, sealer: &dyn Sealer) -> Result<Self, String> {
        let endpoint = channel.endpoint.as_ref().ok_or("The channel has no configuration.")?;
        let text = |object: &str, name: &str| endpoint.config.get(object)?.get(name)?.as_str().map(str::to_owned);
        let mut secrets = secrets(channel, sealer).ok_or("The secrets of the channel cannot be decrypted.")?;
        let address = text("from", "address").unwrap_or_default();
        let wrong = || format!("`config.from.address` is not an email address in ASCII: {address}");
        let parsed = mail_address(&address).ok_or_else(wrong)?;
        let tls = match text("smtp", "tls").as_deref() {
            Some(STARTTLS) => SmtpTls::StartTls,
            Some(_) | None => SmtpTls::Implicit,
        };
        let usual = match tls {
            SmtpTls::Implicit => 465,
            SmtpTls::StartTls => 587,
        };
        let port = endpoint.config.get("smtp").and_then(|it| it.get("port")).and_then(Value::as_u64);
        let log_in = match (secrets.remove(SMTP_USER), secrets.remove(SMTP_PASSWORD)) {
            (Some(user), Some(password)) => Some((user, password)),
            (None, None) => None,
            (Some(_), None) => return Err("`secrets.smtp_password` is missing.".to_owned()),
            (None, Some(_)) => return Err("`secrets.smtp_user` is missing.".to_owned()),
        };
        Ok(Self {
            address: parsed,
            name: text("from", "name"),
            host: text("smtp", "host").unwrap_or_default(),
            port: port.and_then(|port| u16::try_from(port).ok()).unwrap_or(usual),
            tls,
            log_in,
            auth: text("inbound", "auth").unwrap_or_else(|| STANDARD_WEBHOOKS.to_owned()),
            inbound_secret: secrets.remove(INBOUND_SECRET).unwrap_or_default(),
            authserv_id: text("inbound", AUTHSERV_ID),
            signature: endpoint.text("signature").map(str::to_owned),
        })
    }

    /// Returns the domain of the sender, for message IDs and the greeting of the mail server.
    pub(super) fn domain(&self) -> &str {
        self.address.domain()
    }
}

/// Parses an email address. `None` if it is not one, or if it has characters that SMTP needs an extension for or that
/// end an address in a command.
pub(super) fn mail_address(text: &str) -> Option<Address> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'<' | b'>'));
    text.parse().ok().filter(|_| is_plain)
}

fn secrets(channel: &Channel, sealer: &dyn Sealer) -> Option<PlainSecrets> {
    let sealed = &channel.endpoint.as_ref()?.secrets;
    let text = sealer.open(sealed, &secret_context(channel.id)).ok()?;
    Some(read_secrets(&String::from_utf8(text).ok()?))
}
