//! `/platform`: what people do about their workspaces. API keys open nothing of it.

pub(crate) mod audit;
pub(crate) mod keys;
pub(crate) mod members;
pub(crate) mod sandbox;
pub(crate) mod storage;
pub(crate) mod usage;
pub(crate) mod workspaces;
