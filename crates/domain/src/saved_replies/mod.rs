//! Saved replies: named texts, with files, that agents insert into messages.

mod model;
mod service;
#[cfg(test)]
mod tests;

pub use model::{NewSavedReply, SavedReply, SavedReplyPatch, SavedReplyView};
pub use service::SavedReplyService;
