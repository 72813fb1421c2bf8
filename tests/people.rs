//! People's data: whoever is erased leaves nothing behind.

mod disclosed;
mod erased;
mod imported;
mod opted_out;
