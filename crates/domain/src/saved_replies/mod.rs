//! Saved replies: named texts that agents insert into messages.

mod model;
mod service;
#[cfg(test)]
mod tests;
mod view;

pub use model::{NewSavedReply, SavedReply, SavedReplyPatch};
pub use service::SavedReplyService;
pub use view::SavedReplyView;
