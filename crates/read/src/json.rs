//! A JSON value that needs less than half of the memory of `serde_json::Value`.

use serde_json::Number;

/// Any JSON value.
#[derive(Debug, Clone, PartialEq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number: an integer from −2⁶³ to 2⁶⁴ − 1, otherwise the nearest double.
    Number(Number),
    /// A text.
    String(String),
    /// An array.
    Array(Vec<Json>),
    /// An object.
    Object(Object),
}

/// An object: its entries in written order, without duplicate keys.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Object(pub(super) Vec<(String, Json)>);

impl Object {
    /// The entries in order.
    pub fn entries(&self) -> &[(String, Json)] {
        &self.0
    }
}
