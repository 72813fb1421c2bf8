//! Requests of a provider to the inbound address of a channel.

/// A request to an inbound address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InboundRequest {
    /// Headers in order, with names in lower case. Values that are not text are omitted.
    pub headers: Vec<(String, String)>,
    /// The query of the URL, without `?`.
    pub query: String,
    /// The called URL as the provider knows it: the configured public URL with path and query; `None` without that
    /// setting.
    pub url: Option<String>,
    /// The raw body. It is empty until the server has read it.
    pub body: Vec<u8>,
}

impl InboundRequest {
    /// Returns the first value of a header, by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

/// The reason why a request is not accepted as the provider's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unverified {
    /// The signature is missing or wrong.
    Signature,
    /// The channel's stored secret cannot be read.
    Secret,
}

/// Response to a provider that checks the inbound address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Handshake {
    /// 200 with this text.
    Accepted(String),
    /// 403: the request does not contain the channel's secret.
    Refused,
}
