//! Conditions: one grammar for lists of contacts, branches of flows and exits of sequences.
//!
//! ```json
//! {"all": [
//!   {"field": "custom_fields.age", "op": "gte", "value": 18},
//!   {"any": [{"field": "tags", "op": "has", "value": "vip"}, {"field": "locale", "op": "starts_with", "value": "pt"}]},
//!   {"not": {"field": "last_message_at", "op": "within_last", "value": "P30D"}}
//! ]}
//! ```
//!
//! # Semantics
//! A field has **values**: none, one or several. `tags`, a `multi_select` field and `conversation.*` (all conversations
//! of the contact) may have several. An attribute that is not set, an empty list and a deleted field have none. Each
//! leaf tests each value:
//!
//! - A positive operator matches if **at least one value passes**. Without values it does not match.
//! - `ne`, `not_in`, `has_not` and `not_exists` are the **exact opposites** of `eq`, `in`, `has` and `exists`. They
//!   also match if there is no value.
//! - An empty `all` matches, an empty `any` does not, and `not` negates. There is no third truth value.
//!
//! Leaves are independent: two leaves on `conversation.*` may match different conversations.
//!
//! # Comparison
//! - Texts are compared in the form of [`fold`](crate::text::fold): case, width and runs of white space are ignored.
//!   `contains` and `starts_with` search one folded text in another.
//! - Email addresses, phone numbers and URLs in a condition are normalised first, if they are compared as a whole.
//! - Numbers are compared by value: 18 equals 18.0.
//! - Dates are compared as calendar days and times as instants. Both ends of `between` are included. `before` is `lt`,
//!   `after` is `gt`.
//! - `within_last` matches from `now` minus the duration until `now`, both included, but not later. A date is compared
//!   with the days in this range, in the time zone of the contact or otherwise of the workspace.
//!
//! In a flow, `vars.*` and `event.*` are untyped. The JSON type of the condition's value determines the comparison, a
//! value of another type does not pass, and each element of a list is a value. For `gt`, `lt` and similar operators, a
//! text is a date or a time.
//!
//! A database must select the same contacts as [`Condition::holds`]. It compiles a [`Selection`].

mod attributes;
mod bound;
mod clock;
mod explain;
mod facts;
mod holds;
mod kind;
mod limits;
mod mentions;
mod model;
mod never;
mod operand;
mod operator;
mod parse;
mod retired;
mod samples;
#[cfg(feature = "openapi")]
mod schema;
mod selection;
mod service;
#[cfg(test)]
mod tests;
mod values;
mod vocabulary;

pub use attributes::{ContactAttribute, ConversationAttribute};
pub(crate) use bound::rename;
pub use bound::{Bindings, BoundCondition, LostKind, LostWord, Meaning};
pub use explain::Comparison;
pub use facts::Facts;
pub use limits::{MAX_DEPTH, MAX_LEAVES};
pub use mentions::Mentions;
pub use model::{Condition, Names};
pub(crate) use never::{Judging, Satisfiability, SearchBudget};
pub use operand::{Numeral, Operand, Range};
pub use operator::Operator;
pub(crate) use retired::presence;
pub use selection::{Place, Question, Selection};
pub use service::vocabulary_for;
pub(crate) use service::vocabulary_of;
pub use vocabulary::Vocabulary;
