//! Small readers of one JSON value, to be put together: `list(0..=20, object(|it| it.required("url", text(1..=2_000))))`.

use std::ops::RangeInclusive;

use serde_json::Value;
use tidings_domain::ids::TypedId;
use tidings_domain::time::Timestamp;

use super::{Fields, Json};
use crate::problem::{Fault, Faults, MOST_ERRORS};
use crate::values;

/// How many items an array may have where nothing else is said.
const MAX_ITEMS: usize = 100;

/// The fault `wrong_type`.
pub(crate) fn wrong_type(expected: &str, got: &Json) -> Fault {
    Fault::new("wrong_type", format!("expected {expected}, got {}", got.kind()))
}

/// A string that `read` accepts.
pub fn string<T>(read: impl Fn(&str) -> Result<T, Fault>) -> impl Fn(&Json) -> Result<T, Faults> {
    move |json| match json {
        Json::String(text) => read(text).map_err(Faults::from),
        other => Err(wrong_type("a string", other).into()),
    }
}

/// A string of so many characters; see [`values::text`].
pub fn text(bounds: RangeInclusive<usize>) -> impl Fn(&Json) -> Result<String, Faults> {
    string(values::text(bounds))
}

/// An id of one kind; otherwise `invalid_id`.
pub fn id<T: TypedId>(json: &Json) -> Result<T, Faults> {
    string(values::id)(json)
}

/// An RFC 3339 time; otherwise `invalid_format`.
pub fn timestamp(json: &Json) -> Result<Timestamp, Faults> {
    string(values::timestamp)(json)
}

/// One word of a closed list; otherwise `invalid_value`, with the list.
pub fn word<T>(words: &[&'static str], parse: impl Fn(&str) -> Option<T>) -> impl Fn(&Json) -> Result<T, Faults> {
    string(values::word(words, parse))
}

/// `true` or `false`.
pub fn boolean(json: &Json) -> Result<bool, Faults> {
    match json {
        Json::Bool(it) => Ok(*it),
        other => Err(wrong_type("a boolean", other).into()),
    }
}

/// A whole number within `range`; otherwise `wrong_type` or `out_of_range`. `5.0` is 5 (JSON Schema
/// validation, section 6.1.1); a fraction is no whole number of any size.
pub fn integer(range: RangeInclusive<i64>) -> impl Fn(&Json) -> Result<i64, Faults> {
    move |json| {
        let Json::Number(number) = json else { return Err(wrong_type("an integer", json).into()) };
        let whole = match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Some(whole),
            (None, Some(double)) if !number.is_u64() && double.fract() != 0.0 => {
                return Err(Fault::new("wrong_type", "expected an integer, got a fraction").into());
            }
            // Doubles up to 2⁵³ are exact; beyond, nobody can tell which integer was meant.
            (None, Some(double)) if double.abs() <= 9_007_199_254_740_992.0 => Some(double as i64),
            _ => None,
        };
        whole.filter(|whole| range.contains(whole)).ok_or_else(|| values::out_of_range(&range).into())
    }
}

/// Any value at all, `null` aside where the reader of the field says so; arrays anywhere in it have
/// at most 100 items (`too_many`).
pub fn any(json: &Json) -> Result<Value, Faults> {
    let mut faults = Vec::new();
    check_arrays(json, String::new(), &mut faults);
    if faults.is_empty() { Ok(json.to_value()) } else { Err(Faults(faults)) }
}

fn check_arrays(json: &Json, at: String, faults: &mut Vec<Fault>) {
    match json {
        Json::Array(items) if items.len() > MAX_ITEMS => faults.push(Fault { at, ..too_many(MAX_ITEMS) }),
        Json::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| check_arrays(item, format!("{at}/{index}"), faults));
        }
        Json::Object(object) => {
            for (key, value) in object.entries() {
                check_arrays(value, format!("{at}{}", crate::problem::pointer_to(key)), faults);
            }
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
    }
}

fn too_many(most: usize) -> Fault {
    Fault::new("too_many", format!("at most {most}"))
}

/// An array of so many items, each as `item` reads it; otherwise `too_few`, `too_many` or all
/// faults of all items.
pub fn list<T, E: Into<Faults>>(
    bounds: RangeInclusive<usize>,
    item: impl Fn(&Json) -> Result<T, E>,
) -> impl Fn(&Json) -> Result<Vec<T>, Faults> {
    move |json| match json {
        Json::Array(items) if items.len() > *bounds.end() => Err(too_many(*bounds.end()).into()),
        Json::Array(items) if items.len() < *bounds.start() => {
            Err(Fault::new("too_few", format!("at least {}", bounds.start())).into())
        }
        Json::Array(items) => {
            gather(items.iter().enumerate().map(|(index, json)| (index.to_string(), item(json).map_err(Into::into))))
        }
        other => Err(wrong_type("an array", other).into()),
    }
}

/// An object whose keys the client chooses, at most `most` of them, each value as `value` reads it
/// (`null` included); otherwise `too_many` or all faults of all values.
pub fn entries<T, E: Into<Faults>>(
    most: usize,
    value: impl Fn(&str, &Json) -> Result<T, E>,
) -> impl Fn(&Json) -> Result<Vec<(String, T)>, Faults> {
    move |json| match json {
        Json::Object(object) if object.entries().len() > most => Err(too_many(most).into()),
        Json::Object(object) => gather(object.entries().iter().map(|(key, json)| {
            let read = value(key, json).map(|value| (key.clone(), value));
            (key.clone(), read.map_err(Into::into))
        })),
        other => Err(wrong_type("an object", other).into()),
    }
}

/// All values, or all faults with the place of each.
fn gather<T>(read: impl Iterator<Item = (String, Result<T, Faults>)>) -> Result<Vec<T>, Faults> {
    let (mut values, mut faults) = (Vec::new(), Vec::new());
    for (key, result) in read {
        match result {
            Ok(value) => values.push(value),
            Err(Faults(found)) => {
                let room = MOST_ERRORS.saturating_sub(faults.len());
                faults.extend(found.into_iter().take(room).map(|fault| fault.within(&key)));
            }
        }
    }
    if faults.is_empty() { Ok(values) } else { Err(Faults(faults)) }
}

/// An object with the fields that `read` asks for and no others.
pub fn object<T>(read: impl Fn(&mut Fields<'_>) -> Option<T>) -> impl Fn(&Json) -> Result<T, Faults> {
    move |json| match json {
        Json::Object(object) => {
            let mut fields = Fields::new(object);
            let value = read(&mut fields);
            fields.build(|| value).map_err(|errors| {
                let relative = errors.into_iter().map(|error| Fault {
                    at: error.pointer.unwrap_or_default(),
                    code: error.code,
                    message: error.message,
                });
                Faults(relative.collect())
            })
        }
        other => Err(wrong_type("an object", other).into()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::json::parse;

    fn read<T>(parser: impl Fn(&Json) -> Result<T, Faults>, text: &str) -> Result<T, Vec<(String, &'static str)>> {
        parser(&parse(text.as_bytes()).unwrap().root)
            .map_err(|faults| faults.0.into_iter().map(|fault| (fault.at, fault.code)).collect())
    }

    fn at(pointer: &str, code: &'static str) -> (String, &'static str) {
        (pointer.to_owned(), code)
    }

    #[test]
    fn integers_are_whole_in_every_notation() {
        let number = |text: &str| read(integer(-10..=i64::MAX), text).map_err(|faults| faults[0].1);
        assert_eq!(
            (number("5"), number("5.0"), number("5e0"), number("-0"), number("-0.0")),
            (Ok(5), Ok(5), Ok(5), Ok(0), Ok(0))
        );
        assert_eq!(number("9223372036854775807"), Ok(i64::MAX));
        for text in [
            "-11",
            "9223372036854775808",
            "18446744073709551615",
            "1e300",
            "9007199254740994.0",
            "123456789012345678901234",
        ] {
            assert_eq!(number(text), Err("out_of_range"), "{text}");
        }
        for text in ["0.5", "1e-7", "\"5\"", "null", "true", "[]"] {
            assert_eq!(number(text), Err("wrong_type"), "{text}");
        }
    }

    #[test]
    fn wrong_types_are_named() {
        let fault =
            |parser: &dyn Fn(&Json) -> Result<(), Faults>, json: Json| parser(&json).unwrap_err().0[0].message.clone();
        assert_eq!(fault(&|it| text(1..=5)(it).map(drop), Json::Number(1.into())), "expected a string, got a number");
        assert_eq!(fault(&|it| boolean(it).map(drop), Json::String("true".into())), "expected a boolean, got a string");
        assert_eq!(fault(&|it| list(0..=1, boolean)(it).map(drop), Json::Null), "expected an array, got null");
    }

    #[test]
    fn a_list_tells_of_every_wrong_item() {
        assert_eq!(read(list(0..=3, text(1..=2)), r#"["a","b"]"#), Ok(vec!["a".to_owned(), "b".to_owned()]));
        let wrong = read(list(0..=3, text(1..=2)), r#"["abc","b",1]"#);
        assert_eq!(wrong, Err(vec![at("/0", "too_long"), at("/2", "wrong_type")]));
        assert_eq!(read(list(0..=3, text(1..=2)), r#"[1,1,1,1]"#), Err(vec![at("", "too_many")]));
        assert_eq!(read(list(1..=3, text(1..=2)), "[]"), Err(vec![at("", "too_few")]));
    }

    #[test]
    fn objects_with_free_keys_tell_of_every_wrong_value() {
        let parser = || entries(2, |_, json| text(1..=5)(json));
        assert_eq!(
            read(parser(), r#"{"b":"x","a":"y"}"#),
            Ok(vec![("b".into(), "x".into()), ("a".into(), "y".into())])
        );
        assert_eq!(
            read(parser(), r#"{"b/c":1,"a":null}"#),
            Err(vec![at("/b~1c", "wrong_type"), at("/a", "wrong_type")])
        );
        assert_eq!(read(parser(), r#"{"a":"","b":"","c":""}"#), Err(vec![at("", "too_many")]));
    }

    #[test]
    fn objects_inside_objects_keep_their_pointers() {
        let parser = || list(0..=5, object(|it| it.required("url", text(1..=5))));
        assert_eq!(read(parser(), r#"[{"url":"a"}]"#), Ok(vec!["a".to_owned()]));
        let wrong = read(parser(), r#"[{"url":"a"},{"uri":"b"},7]"#);
        assert_eq!(wrong, Err(vec![at("/1/url", "required"), at("/1/uri", "unknown_field"), at("/2", "wrong_type")]));
    }

    #[test]
    fn any_value_is_taken_whole_but_for_long_arrays() {
        assert_eq!(read(any, r#"{"a":[1,{"b":null}]}"#), Ok(json!({"a": [1, {"b": null}]})));
        let long = format!(r#"{{"a":[0,{{"b":[{}0]}}]}}"#, "0,".repeat(100));
        assert_eq!(read(any, &long), Err(vec![at("/a/1/b", "too_many")]));
    }
}
