//! The key of the sealed values: whether it is the right one, and how it is replaced.

mod canary;
mod reseal;

pub use canary::{Canary, KeyFinding};
pub use reseal::{Progress, Resealed, Resealing, Survey};
