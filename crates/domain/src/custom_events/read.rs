use serde_json::{Map, Value};

use super::MAX_DATA;
use crate::read::{Input, Read, Violation, any, wrong_type};

/// Parses the data of a custom event: an object of at most [`MAX_DATA`] bytes.
pub fn data(input: Input<'_>) -> Result<Map<String, Value>, Vec<Violation>> {
    let Input::Object(_) = input else { return Err(wrong_type("an object", input).into()) };
    let Value::Object(data) = any().read(input)? else { return Ok(Map::new()) };
    fits(&data)?;
    Ok(data)
}

/// Rejects data that is too long.
pub(super) fn fits(data: &Map<String, Value>) -> Result<(), Violation> {
    // Data that cannot be serialized counts as too long.
    let length = serde_json::to_string(data).map_or(usize::MAX, |text| text.len());
    match length <= MAX_DATA {
        true => Ok(()),
        false => Err(Violation::at_root("too_long", format!("at most {MAX_DATA} bytes as JSON, got {length}"))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rejects_data_that_is_too_long_or_no_object() {
        let of = |length: usize| json!({"text": "x".repeat(length - r#"{"text":""}"#.len())});
        assert!(data(Input::from(&of(MAX_DATA))).is_ok());
        let code = |value: &Value| data(Input::from(value)).map_err(|wrong| wrong[0].code);
        assert_eq!(code(&of(MAX_DATA + 1)), Err("too_long"));
        assert_eq!(code(&json!(["order"])), Err("wrong_type"));
        assert_eq!(code(&json!({"list": vec![0; 101]})), Err("too_many"));
    }
}
