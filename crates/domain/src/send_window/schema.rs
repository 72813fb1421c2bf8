//! Windows as the OpenAPI document shows them.

use std::borrow::Cow;

use serde_json::json;
use utoipa::openapi::schema::{AdditionalProperties, Schema, Type};
use utoipa::openapi::{ArrayBuilder, ObjectBuilder, RefOr};

use super::{DAYS, SendWindow};

fn text(about: &str, example: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).description(Some(about)).examples([json!(example)])
}

impl utoipa::PartialSchema for SendWindow {
    fn schema() -> RefOr<Schema> {
        let day = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(DAYS.map(|(word, _)| word)));
        let days = ArrayBuilder::new().items(day).description(Some("On these days; on all when absent."));
        ObjectBuilder::new()
            .schema_type(Type::Object)
            .description(Some("Hours of the week in which something may happen."))
            .additional_properties(Some(AdditionalProperties::FreeForm(false)))
            .property("days", days)
            .property("from", text("From this time of day on; `00:00` when absent.", "09:00"))
            .property("to", text("Until this time of day, which may be the next day's; `24:00` when absent.", "18:00"))
            .property(
                "time_zone",
                text("`contact`, `workspace`, or a zone of the IANA database; `contact` when absent.", "Europe/Berlin"),
            )
            .into()
    }
}

impl utoipa::ToSchema for SendWindow {
    fn name() -> Cow<'static, str> {
        "SendWindow".into()
    }
}
