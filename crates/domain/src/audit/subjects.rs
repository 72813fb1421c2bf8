//! The complete allowlist of audited attributes, by type of object. An attribute that is not listed never appears in
//! the log.

mod automations;
mod people;
mod receivers;
mod vocabulary;
