//! The audit log: who changed what, told by what it was before and after, without secrets and without personal data.

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
