//! The grammar in the OpenAPI description.

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
Fields: the contact's `{names}`; `tags`; `custom_fields.KEY`; `bot_fields.KEY`; `conversation.NAME`, which matches if \
any conversation of the contact matches. Flows also support `vars.PATH` and `event.PATH`.\n\n\
Operators by type of field:\n\
- text: `eq ne in not_in contains starts_with`\n\
- number: `eq ne in not_in gt gte lt lte between`\n\
- date and time: the operators of numbers, and `before after within_last`; `within_last` takes an ISO 8601 duration \
such as `P3D`\n\
- enumerated word, option and ID: `eq ne in not_in`\n\
- boolean: `eq ne`\n\
- tags and lists of options: `has has_not in not_in`\n\n\
All types also support `exists` and `not_exists`, which take no value.\n\n\
A field without a value satisfies only `ne`, `not_in`, `has_not` and `not_exists`. Text comparison ignores case."
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
            .description(Some("The field to compare."))
            .examples([json!("custom_fields.age")]);
        let operator = ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("The operator."))
            .enum_values(Some(Operator::WORDS.iter().copied()));
        let value = ObjectBuilder::new()
            .schema_type(SchemaType::AnyValue)
            .description(Some(
                "The value to compare with, of the field's type; a list for `in`, `not_in` and `between`.",
            ))
            .examples([json!(18)]);
        let leaf = closed("Comparison").property("field", field).property("op", operator).property("value", value);
        OneOfBuilder::new()
            .description(Some(grammar()))
            .item(group("All", "all", several("Matches if all of these conditions match. An empty list matches.")))
            .item(group(
                "Any",
                "any",
                several("Matches if at least one of these conditions matches. An empty list does not match."),
            ))
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
