//! Parts that the channels of Meta share: the check of the inbound address, the signature of requests, and calls of the
//! Graph API with its errors.

mod api;
mod webhook;

pub(crate) use api::{Graph, GraphError, Reply};
#[cfg(test)]
pub(crate) use webhook::SIGNATURE;
pub(crate) use webhook::{answer_challenge, is_signed, verify};
