//! The order of checks, and what every answer carries, whatever the route.

mod answers;
mod credentials;
mod order;
mod people;
mod wire;
