//! Strict reading of query strings: nothing is guessed or ignored, and all errors are reported at once.

mod declare;
pub(crate) mod parameter_docs;
mod readers;

use tidings_domain::read::texts::unknown_name;
use tidings_domain::read::{Input, MOST_VIOLATIONS, Read, Violation};
use url::form_urlencoded;

pub use declare::Parameters;
pub(crate) use declare::parameters;
pub(crate) use readers::{any_text, flag, limit, plus_in_offset, time, whole, words};

use crate::response::problem::{Code, FieldError, Problem};

/// The default number of rows in a page.
pub const DEFAULT_LIMIT: u32 = 25;

/// The maximum number of rows in a page.
pub const MAX_LIMIT: u32 = 100;

/// The code of a cursor that does not belong to the list, its filters or its order.
const INVALID_CURSOR: &str = "invalid_cursor";

/// The parameters of a request in `application/x-www-form-urlencoded` (URL Standard, section 5). Reading is strict:
/// invalid percent-encoding is an error.
///
/// Parameters are read by name. [`finish`](Self::finish) then rejects all others.
#[derive(Debug, Clone)]
pub struct Query {
    pairs: Vec<(String, String)>,
    known: Vec<&'static str>,
    prefixes: Vec<&'static str>,
    errors: Vec<FieldError>,
}

impl Query {
    /// Parses a query string. Invalid parameters are recorded as errors and skipped.
    pub fn parse(raw: &str) -> Self {
        let mut query = Self { pairs: Vec::new(), known: Vec::new(), prefixes: Vec::new(), errors: Vec::new() };
        for pair in raw.split('&').filter(|pair| !pair.is_empty()) {
            let (raw_name, raw_value) = pair.split_once('=').unwrap_or((pair, ""));
            let Some(name) = decode(raw_name) else {
                query.error(raw_name, "invalid_encoding", "the name is not percent-encoded UTF-8");
                continue;
            };
            match decode(raw_value) {
                None => query.error(&name, "invalid_encoding", "the value is not percent-encoded UTF-8"),
                Some(value) if name.contains('\0') || value.contains('\0') => {
                    query.error(&name, "invalid_character", "must not contain U+0000");
                }
                Some(value) => query.pairs.push((name, value)),
            }
        }
        query
    }

    /// Reads declared parameters.
    pub fn read<P: Parameters>(&mut self) -> P {
        P::read(self)
    }

    /// Reads a parameter that can occur once; otherwise `duplicate_parameter`.
    pub fn one<T>(&mut self, name: &'static str, reader: &impl Read<T>) -> Option<T> {
        self.know(name);
        let mut values = self.pairs.iter().filter(|(key, _)| key == name).map(|(_, value)| value);
        let (value, again) = (values.next()?, values.next());
        if again.is_some() {
            self.error(name, "duplicate_parameter", "must appear at most once");
            return None;
        }
        let read = reader.read(Input::String(value));
        self.note(name, read)
    }

    /// Reads a parameter that can occur up to `most` times, in order; otherwise `too_many`.
    pub fn many<T>(&mut self, name: &'static str, reader: &impl Read<T>, most: usize) -> Vec<T> {
        self.know(name);
        let given = self.pairs.iter().filter(|(key, _)| key == name);
        let given = given.take(most.saturating_add(1)).map(|(_, value)| reader.read(Input::String(value)));
        let read: Vec<_> = given.collect();
        if read.len() > most {
            self.error(name, "too_many", format!("must appear at most {most} times"));
            return Vec::new();
        }
        read.into_iter().filter_map(|read| self.note(name, read)).collect()
    }

    /// Reads all parameters with this name prefix, such as `custom_fields.`. Returns the rest of each name, including
    /// brackets, and the value. A name can occur once, and there are at most `most` (`too_many`).
    pub fn prefixed<T>(&mut self, prefix: &'static str, reader: &impl Read<T>, most: usize) -> Vec<(String, T)> {
        self.prefixes.push(prefix);
        let mut found: Vec<(String, Option<T>)> = Vec::new();
        for (name, value) in self.pairs.clone() {
            let Some(rest) = name.strip_prefix(prefix) else { continue };
            if found.len() == most {
                self.error(&name, "too_many", format!("at most {most} parameters can begin with `{prefix}`"));
                break;
            } else if found.iter().any(|(earlier, _)| earlier == rest) {
                self.error(&name, "duplicate_parameter", "must appear at most once");
            } else {
                let read = reader.read(Input::String(&value));
                found.push((rest.to_owned(), self.note(&name, read)));
            }
        }
        found.into_iter().filter_map(|(rest, value)| Some((rest, value?))).collect()
    }

    /// Records an error.
    pub fn error(&mut self, parameter: &str, code: &'static str, message: impl Into<String>) {
        if self.errors.len() < MOST_VIOLATIONS {
            self.errors.push(FieldError::in_parameter(parameter, code, message));
        }
    }

    /// Records that the cursor is not valid. If another parameter is wrong, too, the cursor may belong to its correct
    /// value.
    pub(crate) fn reject_cursor(&mut self) {
        self.error("cursor", INVALID_CURSOR, "belongs to no page of this list with these filters and this `sort`");
    }

    /// Returns all parameters except `without`, decoded, sorted and encoded again. Cursors are bound to this normal
    /// form, which is the same for all spellings of a query.
    pub fn normal_form(&self, without: &[&str]) -> String {
        let mut pairs: Vec<_> = self.pairs.iter().filter(|(name, _)| !without.contains(&name.as_str())).collect();
        pairs.sort_unstable();
        form_urlencoded::Serializer::new(String::new())
            .extend_pairs(pairs.into_iter().map(|(name, value)| (name, value)))
            .finish()
    }

    /// Rejects all parameters that were not read.
    ///
    /// # Errors
    /// 400 `invalid_cursor` if that is the only error, otherwise 422 with all errors.
    pub fn finish(self) -> Result<(), Problem> {
        let errors = self.into_errors();
        match errors.as_slice() {
            [] => Ok(()),
            [only] if only.code == INVALID_CURSOR => Err(Problem::new(Code::InvalidCursor)),
            _ => Err(Problem::validation(errors)),
        }
    }

    /// Returns all errors of all parameters, at most [`MOST_VIOLATIONS`]. Parameters that were not read are errors.
    pub fn into_errors(mut self) -> Vec<FieldError> {
        let by_prefix: Vec<String> = self.prefixes.iter().map(|prefix| format!("{prefix}…")).collect();
        let known: Vec<&str> = self.known.iter().copied().chain(by_prefix.iter().map(String::as_str)).collect();
        for (name, _) in std::mem::take(&mut self.pairs) {
            let is_known =
                self.known.contains(&name.as_str()) || self.prefixes.iter().any(|prefix| name.starts_with(prefix));
            if !is_known && self.errors.len() < MOST_VIOLATIONS {
                let message = unknown_name("parameter", &name, &known);
                self.error(&name, "unknown_parameter", message);
            }
        }
        self.errors
    }

    fn know(&mut self, name: &'static str) {
        if !self.known.contains(&name) {
            self.known.push(name);
        }
    }

    fn note<T>(&mut self, name: &str, read: Result<T, Vec<Violation>>) -> Option<T> {
        let note = |wrong: Vec<Violation>| wrong.into_iter().for_each(|it| self.error(name, it.code, it.message));
        read.map_err(note).ok()
    }
}

/// Decodes `+` as a space and `%XX` as a byte. Returns `None` for an invalid `%` and for invalid UTF-8.
fn decode(text: &str) -> Option<String> {
    let hex = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        decoded.push(match byte {
            b'+' => b' ',
            b'%' => hex(bytes.next()?)? << 4 | hex(bytes.next()?)?,
            other => other,
        });
    }
    String::from_utf8(decoded).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tidings_domain::read::text;

    use super::*;

    fn errors(query: Query) -> Vec<(String, &'static str, String)> {
        query.into_errors().into_iter().map(|error| (error.parameter.unwrap(), error.code, error.message)).collect()
    }

    fn codes(query: Query) -> Vec<(String, &'static str)> {
        errors(query).into_iter().map(|(parameter, code, _)| (parameter, code)).collect()
    }

    #[test]
    fn decodes_names_and_values() {
        let mut query = Query::parse("q=J%C3%BCrgen+M%2b%26&&subscribed=true&%65mail=a=b");
        assert_eq!(query.one("q", &text(1..=50)).as_deref(), Some("Jürgen M+&"));
        assert_eq!(query.one("subscribed", &flag()), Some(true));
        assert_eq!(query.one("email", &text(1..=50)).as_deref(), Some("a=b"));
        assert_eq!(errors(query), []);
    }

    #[test]
    fn rejects_unknown_parameters_and_suggests_near_names() {
        let mut query = Query::parse("limt=5&zzz=1");
        assert_eq!(query.one("limit", &limit()), None);
        let expected = [
            ("limt", "unknown parameter; did you mean `limit`?"),
            ("zzz", "unknown parameter; expected one of: limit"),
        ];
        assert_eq!(errors(query), expected.map(|(name, message)| (name.into(), "unknown_parameter", message.into())));
    }

    #[test]
    fn rejects_limits_out_of_range() {
        let limit = |raw: &str| {
            let mut query = Query::parse(raw);
            (query.one("limit", &limit()), codes(query).first().map_or("", |(_, code)| *code))
        };
        assert_eq!((limit(""), limit("limit=1"), limit("limit=100")), ((None, ""), (Some(1), ""), (Some(100), "")));
        for raw in ["limit=0", "limit=101", "limit=-1"] {
            assert_eq!(limit(raw), (None, "out_of_range"), "{raw}");
        }
        for raw in ["limit=", "limit", "limit=ten"] {
            assert_eq!(limit(raw), (None, "wrong_type"), "{raw}");
        }
        assert_eq!(limit("limit=1&limit=1"), (None, "duplicate_parameter"));
    }

    #[test]
    fn rejects_repeated_parameters_unless_allowed() {
        let mut query = Query::parse("tag=a&q=1&tag=b&q=2");
        assert_eq!(query.many("tag", &text(1..=9), 2), ["a", "b"]);
        assert_eq!(query.one("q", &text(1..=9)), None);
        assert_eq!(codes(query), [("q".into(), "duplicate_parameter")]);
        let mut query = Query::parse("tag=a&tag=b&tag=c");
        assert!(query.many("tag", &text(1..=9), 2).is_empty());
        assert_eq!(codes(query), [("tag".into(), "too_many")]);
    }

    #[test]
    fn returns_whole_names_below_a_prefix() {
        let mut query =
            Query::parse("custom_fields.plan=gold&custom_fields.age%5Bgte%5D=18&custom_fields.plan=x&custom_field.a=1");
        let found = query.prefixed("custom_fields.", &any_text(), 10);
        assert_eq!(found, [("plan".into(), "gold".into()), ("age[gte]".into(), "18".into())]);
        let expected =
            [("custom_fields.plan".into(), "duplicate_parameter"), ("custom_field.a".into(), "unknown_parameter")];
        assert_eq!(codes(query), expected);
    }

    #[test]
    fn keeps_the_plus_of_a_time_offset() {
        for raw in ["t=2026-01-31T10:30:00+01:00", "t=2026-01-31T10:30:00%2B01:00", "t=2026-01-31T09:30:00Z"] {
            let mut query = Query::parse(raw);
            assert_eq!(
                query.one("t", &time()).map(|time| time.to_string()).as_deref(),
                Some("2026-01-31T09:30:00.000Z")
            );
        }
        for raw in ["t=2026-01-31", "t=", "t=+", "t=2026-01-31T10:30:00++01:00", "t=%C3%A9+00:00"] {
            let mut query = Query::parse(raw);
            assert_eq!(query.one("t", &time()), None);
            assert_eq!(codes(query), [("t".into(), "invalid_format")], "{raw}");
        }
    }

    #[test]
    fn rejects_invalid_encoding_and_nul() {
        let mut query = Query::parse("a=%ff&b=%zz&c=%4&d=%00&e%=1&f=%C3%A9");
        for name in ["a", "b", "c", "d", "f"] {
            query.one(name, &text(0..=9));
        }
        let expected = [
            ("a", "invalid_encoding"),
            ("b", "invalid_encoding"),
            ("c", "invalid_encoding"),
            ("d", "invalid_character"),
            ("e%", "invalid_encoding"),
        ];
        assert_eq!(codes(query), expected.map(|(name, code)| (name.to_owned(), code)));
    }

    #[test]
    fn normalises_spelling_and_order() {
        let form = |raw: &str| Query::parse(raw).normal_form(&["cursor", "limit"]);
        assert_eq!(form("tag=b&cursor=x&tag=%61&limit=5"), "tag=a&tag=b");
        assert_eq!(form("a=1%262&b=+"), "a=1%262&b=+");
        assert_ne!(form("a=1&b=2"), form("a=1%26b%3D2"));
    }

    parameters! {
        /// The filters; all must hold.
        struct OrderFilters {
            /// Minimum number of pieces.
            one least as "at_least": u32 = whole(1..=99);
            /// With this label; repeated: all of them.
            many labels as "label": String = text(1..=9), 2;
            /// With this value of the attribute KEY.
            prefixed attributes as "attributes.": String = any_text(), 10;
            flat page: OrderPage;
        }
    }

    parameters! {
        /// The page.
        struct OrderPage {
            /// Maximum number of rows.
            one limit: u32 = limit();
        }
    }

    #[test]
    fn reads_and_documents_declared_parameters() {
        let mut query = Query::parse("limit=5&label=a&label=b&at_least=3&attributes.size=xl");
        let OrderFilters { least, labels, attributes, page } = query.read();
        assert_eq!((least, labels, page.limit), (Some(3), vec!["a".to_owned(), "b".to_owned()], Some(5)));
        assert_eq!((attributes, errors(query)), (vec![("size".to_owned(), "xl".to_owned())], vec![]));

        let shown = serde_json::to_value(OrderFilters::shown()).unwrap();
        assert_eq!(
            shown,
            json!([
                {"name": "at_least", "in": "query", "required": false, "description": "Minimum number of pieces.",
                 "schema": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 99}},
                {"name": "label", "in": "query", "required": false, "description": "With this label; repeated: all of them.",
                 "schema": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 9}, "maxItems": 2},
                 "style": "form", "explode": true},
                {"name": "attributes.KEY", "in": "query", "required": false,
                 "description": "With this value of the attribute KEY.", "schema": {"type": "string"}},
                {"name": "limit", "in": "query", "required": false, "description": "Maximum number of rows.",
                 "schema": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 100, "default": 25}},
            ])
        );
    }

    #[test]
    fn reports_errors_in_declaration_order() {
        let mut query = Query::parse("zzz=1&limit=0&label=&attributes.a=1&attributes.a=2&at_least=0");
        let _: OrderFilters = query.read();
        let told: Vec<_> = codes(query).into_iter().map(|(name, _)| name).collect();
        assert_eq!(told, ["at_least", "label", "attributes.a", "limit", "zzz"]);
    }
}
