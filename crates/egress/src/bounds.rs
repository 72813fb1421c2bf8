//! The bounds of one call.

use std::time::Duration;

/// The bounds of a [`StreamedCall`](crate::StreamedCall). The default suits a call to an API.
///
/// [`EgressSettings::lookup_time_out`](crate::EgressSettings::lookup_time_out) and
/// [`EgressSettings::connect_time_out`](crate::EgressSettings::connect_time_out) apply as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The longest wait for the head of the response, including the time to send the body of the request; 15 s.
    pub head: Duration,
    /// The longest wait for the next bytes of the response's body; 15 s.
    pub idle: Duration,
    /// The longest time from the call to the last byte of the response; 60 s.
    pub total: Duration,
    /// The largest body of the response, in bytes; 1 MiB.
    pub max_body: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(15),
            idle: Duration::from_secs(15),
            total: Duration::from_secs(60),
            max_body: 1024 * 1024,
        }
    }
}

/// The bounds of a [`Socket`](crate::Socket). The default suits mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SocketBounds {
    /// The longest wait until the connection is encrypted and can be used; 60 s.
    pub open: Duration,
    /// The longest wait of one read or write; 10 minutes, which RFC 5321 (section 4.5.3.2.6) asks for after the final
    /// dot of a message. Callers set shorter limits around other steps.
    pub idle: Duration,
    /// The largest number of bytes that are read; 1 MiB.
    pub max_read: u64,
}

impl Default for SocketBounds {
    fn default() -> Self {
        Self { open: Duration::from_secs(60), idle: Duration::from_secs(600), max_read: 1024 * 1024 }
    }
}
