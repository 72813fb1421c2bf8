//! The key of sealed values: detection of a wrong key, and replacement of a key.

mod canary;
mod headers;
mod reseal;

pub use canary::{Canary, KeyFinding};
pub use headers::HeaderSealing;
pub use reseal::{Progress, Resealed, Resealing, Survey};
