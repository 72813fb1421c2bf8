//! The key of the sealed values: whether it is the right one, and how it is replaced.

mod canary;
mod headers;
mod reseal;

pub use canary::{Canary, KeyFinding};
pub use headers::HeaderSealing;
pub use reseal::{Progress, Resealed, Resealing, Survey};
