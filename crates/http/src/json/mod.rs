//! Strict reading of request bodies: nothing is guessed, nothing is ignored, everything that is
//! wrong is said at once.

mod error;
mod parsers;
mod reader;
mod tree;

pub use error::BodyError;
pub use parsers::{any, boolean, entries, id, integer, list, object, string, text, timestamp, word};
pub use reader::Fields;
pub use tree::{Json, MAX_DEPTH, Object, Tree, parse};
