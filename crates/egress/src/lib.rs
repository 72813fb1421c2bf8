//! The one guarded HTTP client. Every call to an address from a user's settings uses it.
//!
//! [`AddressFilter`] decides which addresses may be called, with pure functions over the table in `ranges`. [`Egress`]
//! calls them: it resolves a name once, refuses the name if any of its addresses is forbidden, connects to exactly the
//! checked addresses, ignores proxies from the environment, and limits time and size.
//!
//! | Method | Use |
//! |---|---|
//! | [`Egress::post`], [`Egress::call`] | small signed requests; only the start of the response is read |
//! | [`Egress::fetch`] | a call with a response that fits into memory |
//! | [`Egress::call_streamed`] | streamed bodies, forms, own bounds, URLs with secrets, one redirect |
//! | [`Egress::dial_smtp`] | an encrypted connection to a mail server |
//!
//! [`Egress::for_workspace`] returns a client for calls of one workspace. Its name look-ups count for this workspace.
//!
//! Only [`Egress::call_streamed`] follows a redirect, at most one, and without credentials.

mod address_filter;
mod answer_body;
mod authorities;
mod body;
mod bounds;
mod client;
mod dial;
mod failure;
mod lookup;
mod lookup_shares;
mod multipart;
mod network;
mod ranges;
mod redirect;
mod resolve;
mod secret_url;
pub mod signing;
mod smtp;
mod socket;
mod streamed_call;
#[cfg(test)]
mod test_resolver;
#[cfg(test)]
mod test_server;
mod tls;

pub use address_filter::{AddressFilter, AddressRefusal};
pub use answer_body::{AnswerBody, AnswerBodyError};
pub use authorities::{Authorities, AuthoritiesError};
pub use body::Body;
pub use bounds::{Bounds, SocketBounds};
pub use client::{Answer, Call, Egress, EgressSettings, Request, SetupError, WholeAnswer};
pub use failure::{CallError, EgressError};
pub use lookup_shares::LookupPermit;
pub use multipart::{Multipart, MultipartError};
pub use network::{Network, NetworkError};
pub use reqwest::Method;
pub use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
pub use resolve::{Resolve, SystemResolver};
pub use secret_url::SecretUrl;
pub use smtp::{SmtpDial, SmtpError, SmtpTls};
pub use socket::Socket;
pub use streamed_call::{StreamedAnswer, StreamedCall};
