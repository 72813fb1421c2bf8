//! Definitions of flows in requests.

use serde_json::Value;
use tidings_domain::flows::Definition;
use tidings_domain::read::schema::{Describe, Described, described};
use tidings_domain::read::{Input, Read, wrong_type};

/// Reads the definition of a draft, which can be any object. It can have more nodes than other arrays have items.
pub(crate) fn definition() -> impl Read<Value> + Describe {
    let read = |input: Input<'_>| match input {
        Input::Object(_) => Ok(input.to_value()),
        other => Err(wrong_type("an object", other).into()),
    };
    described(read, Described::named::<Definition>)
}
