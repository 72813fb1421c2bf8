//! Error responses of the API: RFC 9457 problem details.

mod code;
mod domain;
mod field;
mod render;

pub use code::Code;
pub use field::FieldError;
pub use render::Problem;
