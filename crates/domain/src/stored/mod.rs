//! Simple objects, each declared once in [`for_each_stored!`](crate::for_each_stored).
//!
//! A declaration has no queries. Each list of objects in the code comes from it: IDs, unique keys, kinds of hints, rows,
//! counts, tables of the in-memory store, ports and exports. The README of this crate shows the code that comes from one
//! declaration.

mod bytes;
mod kind;
mod list;
mod object;
mod row;

pub use kind::{StoredId, StoredKind};
pub use object::StoredObject;
pub use row::StoredRow;
