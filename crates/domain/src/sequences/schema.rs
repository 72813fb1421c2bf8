//! The OpenAPI schema of step actions.

use utoipa::openapi::schema::Schema;
use utoipa::openapi::{ObjectBuilder, Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::StepAction;
use crate::conversations::Content;
use crate::ids::FlowId;
use crate::read::schema::{Declared, one_of};

fn step_variant(word: &str, about: &[&str], field: &str, holds: &str) -> Declared {
    let holds = Ref::from_schema_name(holds);
    Declared::new(about).told_apart("type", word).with(|it: ObjectBuilder| it.property(field, holds).required(field))
}

impl PartialSchema for StepAction {
    fn schema() -> RefOr<Schema> {
        let message =
            step_variant("send_message", &["Sends a message; its texts are templates."], "message", &Content::name());
        let flow = step_variant("start_flow", &["Starts a flow."], "flow_id", &FlowId::name());
        one_of(&["The action of a step."], [message, flow])
    }
}

impl ToSchema for StepAction {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Content::name().into_owned(), Content::schema()));
        schemas.push((FlowId::name().into_owned(), FlowId::schema()));
        Content::schemas(schemas);
    }
}
