//! A strict reader for client input. It does not guess or ignore anything, and reports all errors at once with their
//! pointers.
//!
//! [`parse`] turns a JSON text into a [`Tree`]. [`Tree::read`] provides its [`Fields`], which are read by name. Stored
//! JSON, such as the definition of a flow, is read in the same way: both convert to an [`Input`].
//!
//! ```
//! use tidings_read::{Fields, integer, list, text};
//!
//! struct Order { customer: String, quantity: i64, notes: Vec<String> }
//!
//! fn order(body: &mut Fields<'_>) -> Option<Order> {
//!     let customer = body.required("customer", text(1..=100));
//!     let quantity = body.optional("quantity", integer(1..=12)).unwrap_or(1);
//!     let notes = body.nullable("notes", list(0..=5, text(1..=500)));
//!     Some(Order { customer: customer?, quantity, notes: notes.unwrap_or_default() })
//! }
//!
//! let tree = tidings_read::parse(br#"{"customer": "Ada", "quantity": 2}"#).unwrap();
//! let read = tree.read(order).unwrap();
//! assert_eq!((read.customer.as_str(), read.quantity, read.notes.len()), ("Ada", 2, 0));
//!
//! let tree = tidings_read::parse(br#"{"quantity": 13, "note": "soon", "notes": ["", 7]}"#).unwrap();
//! let wrong = tree.read(order).err().unwrap_or_default();
//! let found: Vec<_> = wrong.iter().map(|it| (it.pointer.as_str(), it.code)).collect();
//! assert_eq!(found, [
//!     ("/customer", "required"),
//!     ("/quantity", "out_of_range"),
//!     ("/notes/0", "blank"),
//!     ("/notes/1", "wrong_type"),
//!     ("/note", "unknown_field"),
//! ]);
//! assert_eq!(wrong[4].message, "unknown field; did you mean `notes`?");
//! ```

mod body;
pub mod characters;
mod cut;
mod fields;
mod input;
mod json;
mod parsers;
pub mod patch;
mod reader;
mod refusal;
mod report;
#[cfg(feature = "openapi")]
pub mod schema;
pub mod similar_names;
pub mod texts;
pub mod time;
mod tree;
pub mod typed_id;
mod violation;

pub use body::{Body, nested};
pub use cut::cut;
pub use fields::Fields;
pub use input::{Input, Items, Members};
pub use json::{Json, Object};
pub use parsers::{
    StringReader, any, boolean, entries, id, integer, list, map, name, named_entries, object, string, text, timestamp,
    word,
};
pub use reader::{Read, wrong_type};
pub use refusal::Refusal;
pub use report::Report;
pub use tree::{MAX_DEPTH, Tree, parse};
pub use violation::{MOST_MESSAGE, MOST_PARAM, MOST_PLACE, MOST_VIOLATIONS, Params, Violation, pointer_to};
