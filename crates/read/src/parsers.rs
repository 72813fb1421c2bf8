//! Readers of one JSON value, which can be combined: `list(0..=20, object(|it| it.required("url", text(1..=2_000))))`.

pub(crate) mod collections;

use std::marker::PhantomData;
use std::ops::RangeInclusive;

use serde_json::Value;

use super::{Fields, Input, Read, Report, Violation, pointer_to, texts, wrong_type};
use crate::time::Timestamp;
use crate::typed_id::TypedId;
pub use collections::{entries, list, named_entries};

/// Default maximum number of items of an array.
const MAX_ITEMS: usize = 100;

/// See [`string`].
#[derive(Debug, Clone, Copy)]
pub struct StringReader<F>(F);

/// A string that `read` accepts.
pub fn string<T, E: Into<Vec<Violation>>, F: Fn(&str) -> Result<T, E>>(read: F) -> StringReader<F> {
    StringReader(read)
}

impl<T, E: Into<Vec<Violation>>, F: Fn(&str) -> Result<T, E>> Read<T> for StringReader<F> {
    fn read(&self, input: Input<'_>) -> Result<T, Vec<Violation>> {
        match input {
            Input::String(text) => (self.0)(text).map_err(Into::into),
            other => Err(wrong_type("a string", other).into()),
        }
    }
}

/// See [`text`].
#[derive(Debug, Clone)]
pub struct TextReader {
    pub(super) bounds: RangeInclusive<usize>,
    is_name: bool,
}

/// A string with this number of characters; see [`texts::text`].
pub fn text(bounds: RangeInclusive<usize>) -> TextReader {
    TextReader { bounds, is_name: false }
}

/// A name with this number of characters; see [`texts::name`].
pub fn name(bounds: RangeInclusive<usize>) -> TextReader {
    TextReader { bounds, is_name: true }
}

impl Read<String> for TextReader {
    fn read(&self, input: Input<'_>) -> Result<String, Vec<Violation>> {
        match self.is_name {
            true => string(texts::name(self.bounds.clone())).read(input),
            false => string(texts::text(self.bounds.clone())).read(input),
        }
    }
}

/// See [`id`].
#[derive(Debug, Clone, Copy)]
pub struct IdReader<T>(PhantomData<T>);

/// An ID of one type; otherwise `invalid_id`.
pub fn id<T: TypedId>() -> IdReader<T> {
    IdReader(PhantomData)
}

impl<T: TypedId> Read<T> for IdReader<T> {
    fn read(&self, input: Input<'_>) -> Result<T, Vec<Violation>> {
        string(texts::id).read(input)
    }
}

/// See [`timestamp`].
#[derive(Debug, Clone, Copy)]
pub struct TimestampReader;

/// An RFC 3339 time; otherwise `invalid_format`.
pub fn timestamp() -> TimestampReader {
    TimestampReader
}

impl Read<Timestamp> for TimestampReader {
    fn read(&self, input: Input<'_>) -> Result<Timestamp, Vec<Violation>> {
        string(texts::timestamp).read(input)
    }
}

/// See [`word`].
#[derive(Debug, Clone, Copy)]
pub struct WordReader<W, T, F> {
    words: W,
    parse: F,
    of: PhantomData<T>,
}

/// One word of a fixed list; otherwise `invalid_value`, with the list.
pub fn word<W: AsRef<[&'static str]>, T, F: Fn(&str) -> Option<T>>(words: W, parse: F) -> WordReader<W, T, F> {
    WordReader { words, parse, of: PhantomData }
}

impl<W: AsRef<[&'static str]>, T, F: Fn(&str) -> Option<T>> Read<T> for WordReader<W, T, F> {
    fn read(&self, input: Input<'_>) -> Result<T, Vec<Violation>> {
        string(texts::word(self.words.as_ref(), &self.parse)).read(input)
    }
}

/// See [`boolean`].
#[derive(Debug, Clone, Copy)]
pub struct BooleanReader;

/// `true` or `false`.
pub fn boolean() -> BooleanReader {
    BooleanReader
}

impl Read<bool> for BooleanReader {
    fn read(&self, input: Input<'_>) -> Result<bool, Vec<Violation>> {
        match input {
            Input::Bool(it) => Ok(it),
            other => Err(wrong_type("a boolean", other).into()),
        }
    }
}

/// See [`integer`].
#[derive(Debug, Clone)]
pub struct IntegerReader {
    pub(super) range: RangeInclusive<i64>,
}

/// An integer within `range`; otherwise `wrong_type` or `out_of_range`. `5.0` is 5 (JSON Schema validation, section
/// 6.1.1). A fraction is always `wrong_type`.
pub fn integer(range: RangeInclusive<i64>) -> IntegerReader {
    IntegerReader { range }
}

impl Read<i64> for IntegerReader {
    fn read(&self, input: Input<'_>) -> Result<i64, Vec<Violation>> {
        let Input::Number(number) = input else { return Err(wrong_type("an integer", input).into()) };
        let whole = match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Some(whole),
            (None, Some(double)) if !number.is_u64() && double.fract() != 0.0 => {
                return Err(Violation::at_root("wrong_type", "expected an integer, got a fraction").into());
            }
            // Doubles up to 2⁵³ are exact. Beyond that the intended integer is unknown.
            (None, Some(double)) if double.abs() <= 9_007_199_254_740_992.0 => Some(double as i64),
            _ => None,
        };
        let within = whole.filter(|whole| self.range.contains(whole));
        within.ok_or_else(|| texts::out_of_range(&self.range).into())
    }
}

/// See [`any`].
#[derive(Debug, Clone, Copy)]
pub struct AnyReader;

/// Any value. The method that reads the field decides about `null`. All arrays in it have at most 100 items
/// (`too_many`).
pub fn any() -> AnyReader {
    AnyReader
}

impl Read<Value> for AnyReader {
    fn read(&self, input: Input<'_>) -> Result<Value, Vec<Violation>> {
        let mut report = Report::default();
        check_arrays(input, String::new(), &mut report);
        report.judge(Some(())).map(|()| input.to_value())
    }
}

fn check_arrays(input: Input<'_>, at: String, report: &mut Report) {
    match input {
        Input::Array(items) if items.len() > MAX_ITEMS => report.extend([too_many(MAX_ITEMS).under(&at)]),
        Input::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| check_arrays(item, format!("{at}/{index}"), report));
        }
        Input::Object(members) => {
            for (name, value) in members.iter() {
                check_arrays(value, format!("{at}{}", pointer_to(name)), report);
            }
        }
        Input::Null | Input::Bool(_) | Input::Number(_) | Input::String(_) => {}
    }
}

fn too_many(most: usize) -> Violation {
    Violation::at_root("too_many", format!("must have at most {most} entries"))
}

/// See [`map`].
#[derive(Debug, Clone, Copy)]
pub struct MapReader<R, F, T> {
    pub(super) reader: R,
    map: F,
    of: PhantomData<fn(T)>,
}

/// Converts the result of `reader`.
pub fn map<T, U, R: Read<T>, F: Fn(T) -> U>(reader: R, map: F) -> MapReader<R, F, T> {
    MapReader { reader, map, of: PhantomData }
}

impl<T, U, R: Read<T>, F: Fn(T) -> U> Read<U> for MapReader<R, F, T> {
    fn read(&self, input: Input<'_>) -> Result<U, Vec<Violation>> {
        self.reader.read(input).map(&self.map)
    }
}

/// See [`object`].
#[derive(Debug, Clone, Copy)]
pub struct ObjectReader<F>(F);

/// An object with exactly the fields that `read` asks for.
pub fn object<T, F: Fn(&mut Fields<'_>) -> Option<T>>(read: F) -> ObjectReader<F> {
    ObjectReader(read)
}

impl<T, F: Fn(&mut Fields<'_>) -> Option<T>> Read<T> for ObjectReader<F> {
    fn read(&self, input: Input<'_>) -> Result<T, Vec<Violation>> {
        Fields::read(input, Report::default(), &self.0)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::parse;

    fn read<T>(reader: impl Read<T>, text: &str) -> Result<T, Vec<(String, &'static str)>> {
        let tree = parse(text.as_bytes()).unwrap();
        let read = reader.read(Input::from(&tree.root));
        read.map_err(|wrong| wrong.into_iter().map(|it| (it.pointer, it.code)).collect())
    }

    fn at(pointer: &str, code: &'static str) -> (String, &'static str) {
        (pointer.to_owned(), code)
    }

    #[test]
    fn accepts_whole_numbers_in_every_notation() {
        let number = |text: &str| read(integer(-10..=i64::MAX), text).map_err(|wrong| wrong[0].1);
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
    fn names_the_expected_and_the_actual_type() {
        fn told<T>(read: Result<T, Vec<Violation>>) -> String {
            read.err().unwrap_or_default().remove(0).message
        }
        assert_eq!(told(text(1..=5).read(Input::Number(&1.into()))), "expected a string, got a number");
        assert_eq!(told(boolean().read(Input::String("true"))), "expected a boolean, got a string");
        assert_eq!(told(list(0..=1, boolean()).read(Input::Null)), "expected an array, got null");
    }

    #[test]
    fn lists_report_every_invalid_item() {
        assert_eq!(read(list(0..=3, text(1..=2)), r#"["a","b"]"#), Ok(vec!["a".to_owned(), "b".to_owned()]));
        let wrong = read(list(0..=3, text(1..=2)), r#"["abc","b",1]"#);
        assert_eq!(wrong, Err(vec![at("/0", "too_long"), at("/2", "wrong_type")]));
        assert_eq!(read(list(0..=3, text(1..=2)), r#"[1,1,1,1]"#), Err(vec![at("", "too_many")]));
        assert_eq!(read(list(1..=3, text(1..=2)), "[]"), Err(vec![at("", "too_few")]));
    }

    #[test]
    fn entries_report_every_invalid_value() {
        let parser = || entries(2, text(1..=5));
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
    fn nested_objects_keep_their_pointers() {
        let parser = || list(0..=5, object(|it| it.required("url", text(1..=5))));
        assert_eq!(read(parser(), r#"[{"url":"a"}]"#), Ok(vec!["a".to_owned()]));
        let wrong = read(parser(), r#"[{"url":"a"},{"uri":"b"},7]"#);
        assert_eq!(wrong, Err(vec![at("/1/url", "required"), at("/1/uri", "unknown_field"), at("/2", "wrong_type")]));
    }

    #[test]
    fn any_accepts_all_values_except_long_arrays() {
        assert_eq!(read(any(), r#"{"a":[1,{"b":null}]}"#), Ok(json!({"a": [1, {"b": null}]})));
        let long = format!(r#"{{"a":[0,{{"b":[{}0]}}]}}"#, "0,".repeat(100));
        assert_eq!(read(any(), &long), Err(vec![at("/a/1/b", "too_many")]));
    }
}
