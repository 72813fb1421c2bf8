//! Query parameters in the OpenAPI document, by the method of [`Query`](super::Query) that reads them.

use tidings_domain::read::list;
use tidings_domain::read::schema::Describe;
use utoipa::openapi::path::{Parameter, ParameterIn, ParameterStyle};

use crate::openapi::parameter;

/// Describes a parameter that can occur once.
pub(crate) fn one(name: &str, about: &[&str], reader: impl Describe) -> Parameter {
    parameter::new_parameter(ParameterIn::Query, name, about, reader.describe()).build()
}

/// Describes a parameter that can be repeated.
pub(crate) fn many(name: &str, about: &[&str], reader: impl Describe, most: usize) -> Parameter {
    let shown = parameter::new_parameter(ParameterIn::Query, name, about, list(0..=most, reader).describe());
    shown.style(Some(ParameterStyle::Form)).explode(Some(true)).build()
}

/// Describes all parameters with this prefix. OpenAPI cannot limit their number.
pub(crate) fn prefixed(prefix: &str, about: &[&str], reader: impl Describe, _most: usize) -> Parameter {
    one(&format!("{prefix}KEY"), about, reader)
}
