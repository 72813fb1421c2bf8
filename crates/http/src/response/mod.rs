//! Responses: bodies, problems and their transfer.

pub mod answer;
pub(crate) mod chunked_body;
pub(crate) mod compress;
pub(crate) mod export_body;
pub(crate) mod json_pieces;
pub mod problem;
pub mod rejected_rows;
pub(crate) mod static_body;
