//! SQLite as fast as it goes by itself: the limit of what is measured on it.

mod inserts;
mod reads;

pub(crate) use inserts::Inserts;
pub(crate) use reads::{Read, read};
