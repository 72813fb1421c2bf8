//! Reasons why a call got no answer, in sentences for the owner of the address.

use std::error::Error;
use std::io;

use rustls::CertificateError;

use crate::address_filter::AddressRefusal;
use crate::body::SourceFailed;
use crate::lookup::{LookupFailed, NoAddress};

/// The reason why a call got no answer. The sentences name only what the owner of the address can fix, and nothing
/// about the network around this service.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EgressError {
    /// The address filter refused the address or an address that its name resolves to. A retry does not help.
    #[error("{0}")]
    Forbidden(String),
    /// Look-up, connection or answer took too long.
    #[error("No complete response arrived in time.")]
    TimedOut,
    /// Look-up, connection, TLS or transfer failed.
    #[error("{0}")]
    Failed(String),
}

/// The reason why a call got no answer, and whether the request may still have arrived.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct CallError {
    /// The reason.
    pub error: EgressError,
    /// False only if no byte of the request can have been sent.
    pub may_have_arrived: bool,
}

impl From<AddressRefusal> for CallError {
    fn from(refused: AddressRefusal) -> Self {
        Self { error: refused.into(), may_have_arrived: false }
    }
}

impl From<NoAddress> for CallError {
    fn from(none: NoAddress) -> Self {
        Self { error: none.into(), may_have_arrived: false }
    }
}

impl From<reqwest::Error> for CallError {
    fn from(error: reqwest::Error) -> Self {
        let may_have_arrived = !error.is_connect() && !error.is_builder();
        Self { error: error.into(), may_have_arrived }
    }
}

impl From<AddressRefusal> for EgressError {
    fn from(refused: AddressRefusal) -> Self {
        Self::Forbidden(refused.to_string())
    }
}

impl From<NoAddress> for EgressError {
    fn from(none: NoAddress) -> Self {
        match none {
            NoAddress::Refused(refused) => refused.into(),
            NoAddress::Failed(failed) => failed.into(),
        }
    }
}

impl From<LookupFailed> for EgressError {
    fn from(failed: LookupFailed) -> Self {
        match failed {
            LookupFailed::TimedOut => Self::TimedOut,
            LookupFailed::NotFound => Self::Failed("The host name was not found.".to_owned()),
            LookupFailed::TooMany => Self::Failed(
                "Too many host names of this workspace are being looked up. Their name servers respond slowly."
                    .to_owned(),
            ),
        }
    }
}

impl From<reqwest::Error> for EgressError {
    fn from(error: reqwest::Error) -> Self {
        // The URL may contain a secret.
        let error = error.without_url();
        if let Some(known) = causes(&error).find_map(known_cause) {
            return known;
        }
        if error.is_timeout() {
            return Self::TimedOut;
        }
        tracing::debug!(error = %error, "call failed");
        let kind = causes(&error).find_map(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind);
        Self::Failed(transfer_sentence(kind, error.is_connect()).to_owned())
    }
}

impl EgressError {
    /// Converts the failure of a connection that does not use HTTP. `opening` is true until the connection is ready for
    /// use.
    pub(crate) fn of_connection(error: &io::Error, opening: bool) -> Self {
        if let Some(known) = causes(error).find_map(known_cause) {
            return known;
        }
        if error.kind() == io::ErrorKind::TimedOut {
            return Self::TimedOut;
        }
        tracing::debug!(%error, "connection failed");
        Self::Failed(connection_sentence(Some(error.kind()), opening).unwrap_or(CLOSED).to_owned())
    }
}

/// The error for a connection that ended too early.
const CLOSED: &str = "The connection was closed before the response was complete.";

fn known_cause(cause: &(dyn Error + 'static)) -> Option<EgressError> {
    if let Some(refused) = cause.downcast_ref::<AddressRefusal>() {
        return Some(refused.clone().into());
    }
    if let Some(lookup) = cause.downcast_ref::<LookupFailed>() {
        return Some((*lookup).into());
    }
    if cause.is::<SourceFailed>() {
        return Some(EgressError::Failed("The body of the request could not be read to its end.".to_owned()));
    }
    let tls = cause.downcast_ref::<rustls::Error>()?;
    Some(EgressError::Failed(tls_sentence(tls).to_owned()))
}

fn tls_sentence(error: &rustls::Error) -> &'static str {
    let rustls::Error::InvalidCertificate(reason) = error else {
        return "The TLS handshake failed.";
    };
    match reason {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "The TLS certificate has expired.",
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "The TLS certificate is not valid yet."
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "The TLS certificate is for another host name."
        }
        CertificateError::UnknownIssuer => {
            "The TLS certificate is not from a known authority, or an intermediate certificate is missing."
        }
        _ => "The TLS certificate is not valid.",
    }
}

fn transfer_sentence(kind: Option<io::ErrorKind>, connecting: bool) -> &'static str {
    connection_sentence(kind, connecting)
        .unwrap_or("The connection was closed before the response was complete, or the response was not valid HTTP.")
}

fn connection_sentence(kind: Option<io::ErrorKind>, connecting: bool) -> Option<&'static str> {
    match kind {
        Some(io::ErrorKind::ConnectionRefused) => Some("The connection was refused."),
        Some(io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable) => Some("The host cannot be reached."),
        _ if connecting => Some("The connection could not be opened."),
        _ => None,
    }
}

/// Returns an error and all of its causes. An `io::Error` hides the error that it wraps from `source`, so it is
/// unwrapped.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| {
        let wrapped = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        wrapped.map(|inner| inner as &(dyn Error + 'static)).or_else(|| error.source())
    })
}
