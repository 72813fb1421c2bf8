//! Selections of contacts by a condition or a segment.

use serde_json::{Value, json};
#[cfg(feature = "openapi")]
use utoipa::openapi::{OneOfBuilder, Ref, RefOr, schema::Schema};
#[cfg(feature = "openapi")]
use utoipa::{PartialSchema as _, ToSchema};

#[cfg(feature = "openapi")]
use crate::conditions::Condition;
use crate::conditions::{Bindings, BoundCondition};
use crate::ids::SegmentId;
#[cfg(feature = "openapi")]
use crate::read::schema::Declared;
use crate::read::{Input, Violation, pointer_to};

/// A selection of contacts: by a condition, or by the current state of a segment.
#[derive(Debug, Clone, PartialEq)]
pub enum Audience {
    /// The contacts that match this condition.
    Condition(BoundCondition),
    /// The contacts of a segment.
    Segment(SegmentId),
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Audience {
    fn schema() -> RefOr<Schema> {
        let segment =
            Declared::new(&["The contacts of a segment. The segment is evaluated when the contacts are selected."])
                .with(|it| it.property("segment_id", Ref::from_schema_name(SegmentId::name())).required("segment_id"));
        let one_of = OneOfBuilder::new().description(Some("Selects contacts by a condition or by a segment."));
        one_of.item(Ref::from_schema_name(Condition::name())).item(segment.schema()).into()
    }
}

#[cfg(feature = "openapi")]
impl ToSchema for Audience {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Condition::name().into_owned(), Condition::schema()));
        schemas.push((SegmentId::name().into_owned(), SegmentId::schema()));
    }
}

impl Audience {
    /// Parses a condition or `{"segment_id": …}`. The condition itself is validated later.
    ///
    /// # Errors
    /// The input is not an object, or the segment ID is invalid.
    pub fn parse(written: Input<'_>) -> Result<Self, Vec<Violation>> {
        let Input::Object(members) = written else {
            return Err(Violation::at_root("wrong_type", "expected a condition or {\"segment_id\": …}").into());
        };
        let Some(segment) = members.get("segment_id") else { return Ok(Self::Condition(written.to_value().into())) };
        if let Some(other) = members.names().find(|name| *name != "segment_id") {
            return Err(
                Violation::new(pointer_to(other), "unknown_field", "is not allowed together with segment_id").into()
            );
        }
        let wrong = |why: String| Violation::new("/segment_id", "invalid_id", why).into();
        let text = segment.as_str().ok_or_else(|| wrong("expected the ID of a segment".to_owned()))?;
        text.parse().map(Self::Segment).map_err(|error: crate::ids::InvalidId| wrong(error.to_string()))
    }

    /// Restores a stored audience, with the bindings of its condition.
    ///
    /// # Errors
    /// Same as [`parse`](Self::parse).
    pub fn stored(written: Input<'_>, bindings: Option<Bindings>) -> Result<Self, Vec<Violation>> {
        Ok(match Self::parse(written)? {
            Self::Condition(it) => Self::Condition(BoundCondition::stored(it.source_json().clone(), bindings)),
            Self::Segment(segment) => Self::Segment(segment),
        })
    }

    /// The condition, if it has one.
    pub fn condition(&self) -> Option<&BoundCondition> {
        match self {
            Self::Condition(condition) => Some(condition),
            Self::Segment(_) => None,
        }
    }

    /// The condition, if it has one, for a change.
    pub fn condition_mut(&mut self) -> Option<&mut BoundCondition> {
        match self {
            Self::Condition(condition) => Some(condition),
            Self::Segment(_) => None,
        }
    }

    /// The JSON form.
    pub fn source_json(&self) -> Value {
        match self {
            Self::Condition(condition) => condition.source_json().clone(),
            Self::Segment(segment) => json!({"segment_id": segment}),
        }
    }
}

/// Whether a number of contacts differs by more than 5 % from an earlier one.
pub(crate) fn differs(told: i64, found: i64) -> bool {
    let (told, found) = (i128::from(told), i128::from(found));
    (found - told).abs() * 100 > told * 5
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TypedId;

    #[test]
    fn parses_a_segment_or_a_condition() {
        let segment = SegmentId::from_uuid(uuid::Uuid::from_u128(7));
        let read = |written: Value| {
            let read = Audience::parse(Input::from(&written));
            read.map_err(|wrong| wrong.into_iter().map(|it| (it.pointer, it.code)).collect::<Vec<_>>())
        };
        let named = json!({"segment_id": segment});
        assert_eq!(read(named.clone()).map(|it| it.source_json()), Ok(named));
        assert_eq!(read(json!({"any": []})), Ok(Audience::Condition(json!({"any": []}).into())));
        for (written, pointer, code) in [
            (json!([]), "", "wrong_type"),
            (json!({"segment_id": segment, "a/b": 1, "c": 2}), "/a~1b", "unknown_field"),
            (json!({"segment_id": null}), "/segment_id", "invalid_id"),
            (json!({"segment_id": "tag_01h455vb4pex5vsknk084sn02q"}), "/segment_id", "invalid_id"),
        ] {
            assert_eq!(read(written), Err(vec![(pointer.to_owned(), code)]));
        }
    }

    #[test]
    fn accepts_a_count_within_five_percent() {
        for (told, found, is_other) in [
            (100, 105, false),
            (100, 106, true),
            (100, 95, false),
            (100, 94, true),
            (0, 0, false),
            (0, 1, true),
            (19, 20, true),
        ] {
            assert_eq!(differs(told, found), is_other, "{told} and {found}");
        }
    }
}
