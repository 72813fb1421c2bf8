//! A JSON text as a tree. Unlike `serde_json::Value`, it rejects duplicate keys and excessive depth, and it needs less
//! than half of the memory.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Number;

use super::{Body, Fields, Input, Json, MOST_PLACE, Object, Refusal, Report, Violation, pointer_to};

/// Maximum nesting depth of objects and arrays.
pub const MAX_DEPTH: usize = 32;

/// A parsed JSON text, with the violations anywhere in it (`too_deep`, `invalid_character`).
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// The value. Values that are too deep are replaced by `null`.
    pub root: Json,
    /// At most [`MOST_VIOLATIONS`](super::MOST_VIOLATIONS).
    pub violations: Vec<Violation>,
}

impl Tree {
    /// The tree of `{}`.
    pub fn empty() -> Self {
        Self { root: Json::Object(Object::default()), violations: Vec::new() }
    }

    /// Reads the fields of the root object. Fields that `read` does not ask for are errors. Violations of the tree
    /// itself are included.
    ///
    /// # Errors
    /// All violations; only `wrong_type` if the root is not an object.
    pub fn read<T>(&self, read: impl FnOnce(&mut Fields<'_>) -> Option<T>) -> Result<T, Vec<Violation>> {
        Fields::read(Input::from(&self.root), Report::of(self.violations.clone()), read)
    }

    /// Reads a declared body.
    ///
    /// # Errors
    /// Same as [`read`](Self::read).
    pub fn read_body<T: Body>(&self) -> Result<T, Vec<Violation>> {
        self.read(|fields| {
            fields.read_only(T::READ_ONLY);
            T::read(fields)
        })
    }
}

/// Parses one JSON text (RFC 8259).
///
/// [`Tree::violations`] contains U+0000 in texts and keys, which PostgreSQL cannot store, and values deeper than
/// [`MAX_DEPTH`], so that they are reported with all other errors.
///
/// # Errors
/// [`Refusal::Malformed`], [`Refusal::DuplicateKey`]; [`Refusal::Invalid`] with `out_of_range` for a number that is
/// larger than any double.
pub fn parse(body: &[u8]) -> Result<Tree, Refusal> {
    let malformed = |detail: String| Refusal::Malformed { detail };
    let text = std::str::from_utf8(body)
        .map_err(|error| malformed(format!("The body is not valid UTF-8 from byte {}.", error.valid_up_to())))?;
    if text.trim_ascii().is_empty() {
        return Err(malformed("The body is empty; send JSON.".to_owned()));
    }
    let findings = Findings::default();
    let mut source = serde_json::Deserializer::from_str(text);
    let read = Reading { findings: &findings, place: &Place::ROOT }
        .deserialize(&mut source)
        .and_then(|root| source.end().map(|()| root));
    let Findings { report, fatal, failed_at } = findings;
    match (read, fatal.into_inner()) {
        (Ok(root), _) => Ok(Tree { root, violations: report.into_inner().into_violations() }),
        (Err(_), Some(fatal)) => Err(fatal),
        (Err(error), None) if error.to_string().starts_with("number out of range") => {
            let pointer = failed_at.into_inner().unwrap_or_default();
            Err(Refusal::Invalid(vec![Violation::new(pointer, "out_of_range", "the number is too large")]))
        }
        (Err(error), None) => Err(malformed(format!("The body is not valid JSON: {error}."))),
    }
}

#[derive(Default)]
struct Findings {
    report: RefCell<Report>,
    fatal: RefCell<Option<Refusal>>,
    /// Pointer to the innermost value that could not be read.
    failed_at: RefCell<Option<String>>,
}

impl Findings {
    fn add(&self, place: &Place<'_>, code: &'static str, message: impl Into<String>) {
        let mut report = self.report.borrow_mut();
        if !report.is_full() {
            report.add(place.pointer(), code, message);
        }
    }

    fn failed(&self, place: &Place<'_>) {
        self.failed_at.borrow_mut().get_or_insert_with(|| place.pointer());
    }
}

/// The place of a value. The pointer is only built for an error.
struct Place<'a> {
    parent: Option<&'a Place<'a>>,
    step: Step<'a>,
    /// The number of objects and arrays around it.
    depth: usize,
}

enum Step<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl Place<'_> {
    const ROOT: Place<'static> = Place { parent: None, step: Step::Root, depth: 0 };

    fn child<'a>(&'a self, step: Step<'a>) -> Place<'a> {
        Place { parent: Some(self), step, depth: self.depth + 1 }
    }

    fn pointer(&self) -> String {
        let mut pointer = self.parent.map(Place::pointer).unwrap_or_default();
        match self.step {
            Step::Root => {}
            _ if pointer.len() >= MOST_PLACE => {}
            Step::Key(key) => pointer.push_str(&pointer_to(key)),
            Step::Index(index) => pointer.push_str(&format!("/{index}")),
        }
        pointer
    }
}

/// The reader of one value.
struct Reading<'a> {
    findings: &'a Findings,
    place: &'a Place<'a>,
}

impl Reading<'_> {
    fn is_too_deep(&self) -> bool {
        let too_deep = self.place.depth >= MAX_DEPTH;
        if too_deep {
            self.findings.add(
                self.place,
                "too_deep",
                format!("objects and arrays can be nested at most {MAX_DEPTH} levels deep"),
            );
        }
        too_deep
    }

    fn check_characters(&self, text: &str, place: &Place<'_>) {
        if text.contains('\0') {
            self.findings.add(place, "invalid_character", "must not contain U+0000");
        }
    }
}

impl<'de> DeserializeSeed<'de> for Reading<'_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Json, D::Error> {
        let Reading { findings, place } = self;
        source.deserialize_any(self).inspect_err(|_| findings.failed(place))
    }
}

impl<'de> Visitor<'de> for Reading<'_> {
    type Value = Json;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, it: bool) -> Result<Json, E> {
        Ok(Json::Bool(it))
    }

    fn visit_i64<E>(self, it: i64) -> Result<Json, E> {
        Ok(Json::Number(it.into()))
    }

    fn visit_u64<E>(self, it: u64) -> Result<Json, E> {
        Ok(Json::Number(it.into()))
    }

    fn visit_f64<E>(self, it: f64) -> Result<Json, E> {
        Ok(Number::from_f64(it).map_or(Json::Null, Json::Number))
    }

    fn visit_str<E>(self, it: &str) -> Result<Json, E> {
        self.check_characters(it, self.place);
        Ok(Json::String(it.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut source: A) -> Result<Json, A::Error> {
        if self.is_too_deep() {
            // Skipping does not recurse, so any depth is safe.
            while source.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(Json::Null);
        }
        let mut items = Vec::new();
        loop {
            let place = self.place.child(Step::Index(items.len()));
            match source.next_element_seed(Reading { findings: self.findings, place: &place })? {
                Some(item) => items.push(item),
                None => return Ok(Json::Array(items)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut source: A) -> Result<Json, A::Error> {
        if self.is_too_deep() {
            while source.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(Json::Null);
        }
        let mut entries: Vec<(String, Json)> = Vec::new();
        while let Some(key) = source.next_key::<String>()? {
            let place = self.place.child(Step::Key(&key));
            self.check_characters(&key, &place);
            let value = source.next_value_seed(Reading { findings: self.findings, place: &place })?;
            entries.push((key, value));
        }
        if let Some(key) = duplicate(&entries) {
            let pointer = self.place.child(Step::Key(key)).pointer();
            self.findings.fatal.replace(Some(Refusal::DuplicateKey { pointer }));
            return Err(A::Error::custom("duplicate key"));
        }
        Ok(Json::Object(Object(entries)))
    }
}

/// Returns a duplicate key. Sorting keeps this fast for objects with thousands of keys.
fn duplicate(entries: &[(String, Json)]) -> Option<&str> {
    let mut keys: Vec<&str> = entries.iter().map(|(key, _)| key.as_str()).collect();
    keys.sort_unstable();
    keys.windows(2).find_map(|pair| match pair {
        [key, next] if key == next => Some(*key),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::MOST_VIOLATIONS;

    fn value(text: &str) -> Value {
        let tree = parse(text.as_bytes()).unwrap();
        assert_eq!(tree.violations, []);
        Input::from(&tree.root).to_value()
    }

    fn errors(text: &str) -> Vec<(String, &'static str)> {
        let errors = match parse(text.as_bytes()) {
            Ok(tree) => tree.violations,
            Err(Refusal::Invalid(errors)) => errors,
            Err(error) => panic!("{error:?}"),
        };
        errors.into_iter().map(|error| (error.pointer, error.code)).collect()
    }

    #[test]
    fn reads_every_type_of_value() {
        let text = r#" {"a":null,"b":[true,false],"c":{"d":"\u00e4\ud83d\ude00"},"e":[0,-1,1.5,1e3,18446744073709551615],"":{}} "#;
        assert_eq!(value(text), serde_json::from_str::<Value>(text).unwrap());
    }

    #[test]
    fn keeps_the_order_of_keys() {
        let Json::Object(object) = parse(br#"{"z":1,"a":2}"#).unwrap().root else { panic!("expected an object") };
        let keys: Vec<_> = object.entries().iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["z", "a"]);
    }

    #[test]
    fn reports_the_position_of_malformed_json() {
        for text in [
            "",
            "  \n",
            "{",
            "}",
            "{\"a\":1",
            "{\"a\":1,}",
            "{\"a\" 1}",
            "{\"a\":b}",
            "{\u{0}}",
            "{a:1}",
            "[1 2]",
            "{\"a\":1}x",
            "{} {}",
            "nul",
            "01",
            "+1",
            "1.",
            ".5",
            "NaN",
            "\"\\ud800\"",
            "\"\\x\"",
            "\"a\nb\"",
            "{'a':1}",
            "\u{feff}{}",
            "// c\n{}",
        ] {
            assert!(matches!(parse(text.as_bytes()), Err(Refusal::Malformed { .. })), "{text}");
        }
        let Err(Refusal::Malformed { detail }) = parse(b"{\n  \"a\": ?}") else { panic!("expected malformed JSON") };
        assert_eq!(detail, "The body is not valid JSON: expected value at line 2 column 8.");
        let Err(Refusal::Malformed { detail }) = parse(b"{\"a\":\"\xff\"}") else { panic!("expected malformed JSON") };
        assert_eq!(detail, "The body is not valid UTF-8 from byte 6.");
    }

    #[test]
    fn rejects_duplicate_keys_at_any_depth() {
        let duplicate = |text: &str| match parse(text.as_bytes()) {
            Err(Refusal::DuplicateKey { pointer }) => pointer,
            other => panic!("{other:?}"),
        };
        assert_eq!(duplicate(r#"{"a":1,"b":2,"a":1}"#), "/a");
        assert_eq!(duplicate(r#"{"l":[0,{"x/y":{},"x/y":{}}]}"#), "/l/1/x~1y");
        assert_eq!(duplicate(r#"{"a":1,"\u0061":2}"#), "/a");
        assert_eq!(duplicate(r#"{"unknown":[{"a":1,"a":2}]}"#), "/unknown/0/a");
        assert_eq!(errors(r#"{"a":{"k":1},"b":{"k":1},"A":0}"#), []);
    }

    #[test]
    fn rejects_nesting_deeper_than_32_levels() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(errors(&nested(32)), []);
        let pointer = "/0".repeat(32);
        for depth in [33, 127, 128, 129, 10_000, 120_000] {
            assert_eq!(errors(&nested(depth)), [(pointer.clone(), "too_deep")], "{depth}");
        }
        let objects = format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000));
        assert_eq!(errors(&objects), [("/a".repeat(32), "too_deep")]);
        for open in ["[", r#"{"a":"#] {
            assert!(matches!(parse(open.repeat(10_000).as_bytes()), Err(Refusal::Malformed { .. })), "{open}");
        }
    }

    #[test]
    fn rejects_null_characters_in_texts_and_keys() {
        let found = errors(r#"{"a":["x","\u0000"],"k\u0000":"\u0001"}"#);
        assert_eq!(found, [("/a/1".into(), "invalid_character"), ("/k\0".into(), "invalid_character")]);
    }

    #[test]
    fn rejects_numbers_beyond_the_range_of_doubles() {
        assert_eq!(errors(r#"{"a":[1,{"b":1e400}]}"#), [("/a/1/b".into(), "out_of_range")]);
        assert_eq!(value("1e-400"), Value::from(0.0));
    }

    #[test]
    fn a_tree_node_is_less_than_half_the_size_of_a_value() {
        assert!(size_of::<Json>() * 2 < size_of::<Value>(), "{} and {}", size_of::<Json>(), size_of::<Value>());
    }

    #[test]
    fn limits_the_number_of_errors() {
        let many = format!("[{}\"\"]", "\"\\u0000\",".repeat(5_000));
        assert_eq!(errors(&many).len(), MOST_VIOLATIONS);
    }
}
