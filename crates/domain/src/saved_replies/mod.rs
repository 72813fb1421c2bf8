//! Saved replies: texts with a name, which people who answer put into their messages.

mod model;
mod service;
#[cfg(test)]
mod tests;
mod view;

pub use model::{NewSavedReply, SavedReply, SavedReplyPatch};
pub use service::SavedReplyService;
pub use view::SavedReplyView;
