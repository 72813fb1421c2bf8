//! Helpers for rows.

use serde::Serialize;
use serde::de::DeserializeOwned;
use tidings_domain::conditions::{Bindings, BoundCondition};
use tidings_domain::ports::{Conflict, StoreError};

use crate::connection::faults::Fault;

/// Returns `otherwise` unless exactly one row was affected.
pub(crate) fn exactly_one(rows: usize, otherwise: Conflict) -> Result<(), Fault> {
    if rows == 1 { Ok(()) } else { Err(otherwise.into()) }
}

/// Parses a word of a closed list.
pub(crate) fn word<T>(text: &str, what: &str, parse: impl Fn(&str) -> Option<T>) -> Result<T, Fault> {
    parse(text).ok_or_else(|| StoreError::Corrupt(format!("{text} is not a {what}")).into())
}

/// Decodes JSON that this crate wrote.
pub(crate) fn json<T: DeserializeOwned>(text: &str, what: &str) -> Result<T, Fault> {
    serde_json::from_str(text).map_err(|error| StoreError::Corrupt(format!("{what}: {error}")).into())
}

/// Decodes the bindings of a stored condition. Returns `None` if an earlier release stored it without bindings.
pub(crate) fn bindings(text: Option<&str>) -> Result<Option<Bindings>, Fault> {
    text.map(|text| json(text, "the bindings of a condition")).transpose()
}

pub(crate) fn bound(written: &str, of_words: Option<&str>, what: &str) -> Result<BoundCondition, Fault> {
    Ok(BoundCondition::stored(json(written, what)?, bindings(of_words)?))
}

pub(crate) fn to_bindings(condition: &BoundCondition) -> Result<Option<String>, Fault> {
    condition.bindings().map(to_json).transpose()
}

/// Encodes JSON. Maps with text keys and finite numbers never fail.
pub(crate) fn to_json(value: &impl Serialize) -> Result<String, Fault> {
    serde_json::to_string(value).map_err(|error| StoreError::Corrupt(error.to_string()).into())
}
