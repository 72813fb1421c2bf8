//! A parameter of a path or a query in the OpenAPI document.

use serde_json::Value;
use tidings_domain::read::schema::{Described, text_of};
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::{RefOr, Required, Schema};

/// Returns the description of a parameter; `about` are the lines of its doc comment.
pub(crate) fn new_parameter(place: ParameterIn, name: &str, about: &[&str], described: Described) -> ParameterBuilder {
    let mut schema = described.inlined();
    let example = take_example(&mut schema);
    let required = if place == ParameterIn::Path { Required::True } else { Required::False };
    ParameterBuilder::from(Parameter::new(name))
        .parameter_in(place)
        .required(required)
        .description(text_of(about))
        .schema(Some(schema))
        .example(example)
}

/// Moves the example from the schema to the parameter.
#[allow(deprecated, reason = "as all other examples of the document are written")]
fn take_example(schema: &mut RefOr<Schema>) -> Option<Value> {
    match schema {
        RefOr::T(Schema::Object(object)) => object.example.take(),
        _ => None,
    }
}
