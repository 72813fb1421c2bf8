//! People's data: whoever is erased leaves nothing behind.

mod disclosed;
mod erased;
mod identifiers;
mod imported;
mod opted_out;
