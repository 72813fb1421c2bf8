//! Simple objects, each declared once in [`for_each_stored!`](crate::for_each_stored).
//!
//! A declaration has no queries. It generates IDs, unique keys, kinds of hints, rows, counts, tables of the in-memory
//! store, ports and exports. The README of this crate shows the generated code.

mod bytes;
mod edit;
mod kind;
mod list;
mod object;

pub(crate) use bytes::as_json;
pub(crate) use edit::NamedObject;
pub use kind::{StoredId, StoredKind, StoredRow};
pub use object::StoredObject;
