//! A JSON value, in less than half of the memory that `serde_json::Value` takes.

use serde_json::Number;

/// Any JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number: whole between −2⁶³ and 2⁶⁴ − 1, otherwise the nearest double.
    Number(Number),
    /// A text.
    String(String),
    /// An array.
    Array(Vec<Json>),
    /// An object.
    Object(Object),
}

/// An object: its entries as they were written, no key twice.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Object(pub(super) Vec<(String, Json)>);

impl Object {
    /// The entries in order.
    pub fn entries(&self) -> &[(String, Json)] {
        &self.0
    }
}
