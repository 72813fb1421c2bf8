//! Objects and figures of the whole workspace.

pub(crate) mod analytics;
pub(crate) mod bot_fields;
pub(crate) mod jobs;
pub(crate) mod sandboxes;
pub(crate) mod secrets;
