use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::{StreamExt, TryStreamExt, stream};
use reqwest::header::HeaderValue;

use super::*;
use crate::answer_body::AnswerBodyError;
use crate::authorities::Authorities;
use crate::client::EgressSettings;
use crate::multipart::Multipart;
use crate::resolve::Resolve;
use crate::test_resolver::Answers;
use crate::test_server::{Reply, TestServer, acceptor, certificate_pem};

fn development() -> EgressSettings {
    let authorities = Authorities::from_pem(certificate_pem().as_bytes()).unwrap();
    EgressSettings { allow_loopback: true, authorities, ..EgressSettings::default() }
}

fn egress() -> Egress {
    egress_with(development(), &Answers::new(&[&["127.0.0.1"]]))
}

fn egress_with(settings: EgressSettings, resolver: &Arc<Answers>) -> Egress {
    Egress::with_resolver(settings, Arc::clone(resolver) as Arc<dyn Resolve>).unwrap()
}

fn get(url: impl Into<String>) -> StreamedCall {
    let url: String = url.into();
    StreamedCall::new(Method::GET, url)
}

fn following(url: impl Into<String>) -> StreamedCall {
    StreamedCall { follow_one_redirect: true, ..get(url) }
}

fn put(url: String, body: Body) -> StreamedCall {
    StreamedCall { body, ..StreamedCall::new(Method::PUT, url) }
}

fn pieces(pieces: &'static [&'static str]) -> impl futures::Stream<Item = io::Result<Bytes>> + Send {
    stream::iter(pieces.iter().map(|piece| Ok(Bytes::from_static(piece.as_bytes()))))
}

fn redirect_to(location: &str) -> Reply {
    Reply::text(&format!("HTTP/1.1 307 Moved\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n"))
}

mod bodies;
mod redirects;
mod secrets;
