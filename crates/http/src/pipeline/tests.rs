//! Tests of the order of checks, and of the headers of every response.

mod answers;
mod credentials;
mod order;
mod people;
mod wire;
