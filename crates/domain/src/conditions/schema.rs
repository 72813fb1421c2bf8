//! The grammar as the OpenAPI document shows it.

use serde_json::json;
use utoipa::openapi::schema::{AdditionalProperties, OneOfBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{ArrayBuilder, ObjectBuilder, Ref, RefOr};

use super::{Condition, ContactAttribute, Operator};

fn grammar() -> String {
    let names = ContactAttribute::NAMES.join("`, `");
    format!(
        "\
A condition: `all`, `any` or `not` of other conditions, or a comparison of a field. At most 5 levels deep, with at most \
50 comparisons.\n\n\
Fields: the contact's `{names}`; `tags`; `custom_fields.KEY`; `bot_fields.KEY`; \
`conversation.NAME`, which is any of the contact's conversations; in a flow also `vars.PATH` and `event.PATH`.\n\n\
Operators: texts take `eq ne in not_in contains starts_with`, numbers `eq ne in not_in gt gte lt lte between`, dates and \
times those and `before after within_last` (an ISO 8601 duration such as `P3D`), words, options and ids \
`eq ne in not_in`, booleans `eq ne`, tags and lists of options `has has_not in not_in`; all take `exists` and \
`not_exists`, which have no value.\n\n\
A field without a value satisfies `ne`, `not_in`, `has_not` and `not_exists` and nothing else. Texts are compared \
without regard to case."
    )
}

fn reference() -> RefOr<Schema> {
    RefOr::Ref(Ref::from_schema_name("Condition"))
}

fn group(title: &str, word: &str, of: RefOr<Schema>) -> ObjectBuilder {
    closed(title).property(word, of).required(word)
}

fn closed(title: &str) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::Object))
        .title(Some(title))
        .additional_properties(Some(AdditionalProperties::FreeForm(false)))
}

fn several(description: &str) -> RefOr<Schema> {
    RefOr::T(ArrayBuilder::new().items(reference()).max_items(Some(100)).description(Some(description)).into())
}

impl utoipa::PartialSchema for Condition {
    fn schema() -> RefOr<Schema> {
        let field = ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("Which value is compared."))
            .examples([json!("custom_fields.age")]);
        let operator = ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("How."))
            .enum_values(Some(Operator::WORDS.iter().copied()));
        let value = ObjectBuilder::new()
            .schema_type(SchemaType::AnyValue)
            .description(Some("With what: a value of the field's type; a list for `in`, `not_in` and `between`."))
            .examples([json!(18)]);
        let leaf = closed("Comparison").property("field", field).property("op", operator).property("value", value);
        OneOfBuilder::new()
            .description(Some(grammar()))
            .item(group("All", "all", several("All of these hold; of none, all do.")))
            .item(group("Any", "any", several("At least one of these holds; of none, none does.")))
            .item(group("Not", "not", reference()))
            .item(leaf.required("field").required("op"))
            .into()
    }
}

impl utoipa::ToSchema for Condition {
    fn name() -> std::borrow::Cow<'static, str> {
        "Condition".into()
    }
}
