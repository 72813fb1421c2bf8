//! Plain SQLite: the limit of the scenarios on it.

mod inserts;
mod reads;

pub(crate) use inserts::Inserts;
pub(crate) use reads::{Read, read};
