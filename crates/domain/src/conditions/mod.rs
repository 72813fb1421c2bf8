//! Conditions: one grammar wherever something is chosen, be it contacts of a list, the branch of a
//! flow or the end of a sequence.
//!
//! ```json
//! {"all": [
//!   {"field": "custom_fields.age", "op": "gte", "value": 18},
//!   {"any": [{"field": "tags", "op": "has", "value": "vip"}, {"field": "locale", "op": "starts_with", "value": "pt"}]},
//!   {"not": {"field": "last_message_at", "op": "within_last", "value": "P30D"}}
//! ]}
//! ```
//!
//! # What a condition means
//! A field has **values**: none, one or several. `tags`, a `multi_select` field and `conversation.*` (over
//! all conversations of the contact) may have several; an attribute that is not set, an empty list and a
//! field that is gone have none. Each leaf asks one question of each value:
//!
//! - A positive operator holds when **at least one value passes**. Without values it does not hold.
//! - `ne`, `not_in`, `has_not` and `not_exists` are the **exact opposites** of `eq`, `in`, `has` and
//!   `exists`: they hold where those do not, so also where there is no value.
//! - `all` of nothing holds, `any` of nothing does not, `not` turns around. There is no third truth value.
//!
//! Each leaf looks by itself: two leaves on `conversation.*` may be true of two different conversations.
//!
//! # How values compare
//! - Texts by [`fold`](crate::text::fold), all of them: without regard to case, width and runs of white
//!   space. `contains` and `starts_with` look for one folded text in another.
//! - E-mail addresses, telephone numbers and web addresses of the condition are brought to their
//!   normal form first where they are compared whole.
//! - Numbers by their value: 18 is 18.0.
//! - Dates by the calendar, times by the instant, both ends of `between` included; `before` is `lt` and
//!   `after` is `gt`.
//! - `within_last` holds from `now` minus the duration until `now`, both included, what lies ahead not;
//!   a date is compared with the days from so long ago until today by the clock of the contact, else of the workspace.
//!
//! In a flow, `vars.*` and `event.*` have no type of their own: the JSON type of the condition's value says
//! how they are compared, a value of another type does not pass, and a list has each of its elements as a
//! value. Before `gt`, `lt` and their like a text is a date or a time.
//!
//! A database must choose the same contacts as [`Condition::holds`]; [`Selection`] is what it compiles.

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
mod rebind;
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
pub(crate) use never::{Effort, Judged, Judging};
pub use operand::{Numeral, Operand, Range};
pub use operator::Operator;
pub(crate) use retired::presence;
pub use selection::{Place, Question, Selection};
pub use service::vocabulary_for;
pub(crate) use service::vocabulary_of;
pub use vocabulary::Vocabulary;
