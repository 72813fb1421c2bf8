//! How definitions of flows are read.

use serde_json::Value;
use tidings_domain::flows::Definition;
use tidings_domain::read::schema::{Describe, Described, described};
use tidings_domain::read::{Input, Read, wrong_type};

/// A draft may hold anything for now, but is an object; its nodes may be more than other arrays have items.
pub(crate) fn definition() -> impl Read<Value> + Describe {
    let read = |input: Input<'_>| match input {
        Input::Object(_) => Ok(input.to_value()),
        other => Err(wrong_type("an object", other).into()),
    };
    described(read, Described::named::<Definition>)
}
