//! Workspaces, their members, and the records of their use.

pub mod audit;
pub mod outbound;
pub mod people;
pub mod sandboxes;
pub mod sealed;
pub mod stored;
pub mod usage;
pub mod workspaces;
