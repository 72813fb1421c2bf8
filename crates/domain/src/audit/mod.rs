//! The audit log: actors, actions and changed attributes, without secrets and personal data.

mod action;
mod draft;
mod facts;
mod model;
mod subjects;
mod view;

pub use action::{AuditAction, AuditedKind};
pub use draft::AuditDraft;
pub use facts::{Audited, Facts};
pub use model::{AuditChange, AuditEntry, AuditFilter, AuditObject, AuditedBy};
pub use view::{AuditActorView, AuditChangeView, AuditEntryView, AuditObjectView};

#[cfg(test)]
mod tests;
