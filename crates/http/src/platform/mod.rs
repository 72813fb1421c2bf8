//! `/platform`: management of workspaces by users. API keys do not work here.

mod archive;
pub(crate) mod audit;
pub(crate) mod export;
pub(crate) mod keys;
pub(crate) mod members;
pub(crate) mod sandbox;
pub(crate) mod storage;
pub(crate) mod usage;
pub(crate) mod workspaces;

pub use archive::WorkspaceArchive;
