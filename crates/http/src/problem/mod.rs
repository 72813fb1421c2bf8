//! Everything that the API answers instead of what was asked for: RFC 9457 problem details.

mod code;
mod domain;
mod field;
mod render;

pub use code::Code;
pub(crate) use field::pointer_to;
pub use field::{Fault, Faults, FieldError, MOST_ERRORS, MOST_PLACE};
pub use render::Problem;
