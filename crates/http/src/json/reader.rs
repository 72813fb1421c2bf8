//! Reading the fields of an object and gathering everything that is wrong with them.

use tidings_domain::patch::Patch;

use super::parsers::wrong_type;
use super::{BodyError, Json, Object, Tree};
use crate::problem::{Fault, Faults, FieldError, MOST_ERRORS, pointer_to};
use crate::values::unknown_name;

/// The fields of one object. Each is asked for by name; [`build`](Self::build) then refuses what
/// nobody asked for and answers all errors at once.
///
/// A reader that gives `None` where a value was needed has noted why. Parsers are those of
/// [`crate::json`], or any closure that answers `Err((code, message))`.
#[derive(Debug)]
pub struct Fields<'a> {
    object: &'a Object,
    known: Vec<&'static str>,
    read_only: &'static [&'static str],
    errors: Vec<FieldError>,
}

impl Tree {
    /// The fields of the body, which must be an object; the tree's own errors are among theirs.
    ///
    /// # Errors
    /// [`BodyError::Invalid`] with `wrong_type` at the root.
    pub fn fields(&self) -> Result<Fields<'_>, BodyError> {
        match &self.root {
            Json::Object(object) => Ok(Fields { errors: self.errors.clone(), ..Fields::new(object) }),
            other => {
                let fault = wrong_type("an object", other);
                Err(BodyError::Invalid(vec![FieldError::at_pointer("", fault.code, fault.message)]))
            }
        }
    }
}

impl<'a> Fields<'a> {
    /// The fields of this object; pointers are relative to it.
    pub fn new(object: &'a Object) -> Self {
        Self { object, known: Vec::new(), read_only: &[], errors: Vec::new() }
    }

    /// Names that answers show and requests may not set: they are told apart from unknown ones.
    pub fn read_only(mut self, names: &'static [&'static str]) -> Self {
        self.read_only = names;
        self
    }

    /// A field that must be there and not `null`.
    pub fn required<T, E: Into<Faults>>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(&Json) -> Result<T, E>,
    ) -> Option<T> {
        match self.find(name) {
            None => {
                self.error(&pointer_to(name), "required", "is required");
                None
            }
            Some(json) => self.not_null(name, json, parse),
        }
    }

    /// A field that may be absent, but not `null`.
    pub fn optional<T, E: Into<Faults>>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(&Json) -> Result<T, E>,
    ) -> Option<T> {
        let json = self.find(name)?;
        self.not_null(name, json, parse)
    }

    /// A field that may be absent or `null`, which is the same, as when an object is made.
    pub fn nullable<T, E: Into<Faults>>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(&Json) -> Result<T, E>,
    ) -> Option<T> {
        match self.find(name)? {
            Json::Null => None,
            json => self.value(name, json, parse),
        }
    }

    /// A field of a merging update: absent keeps, `null` clears, a value sets. After an error it is
    /// [`Patch::Keep`].
    pub fn patch<T, E: Into<Faults>>(
        &mut self,
        name: &'static str,
        parse: impl FnOnce(&Json) -> Result<T, E>,
    ) -> Patch<T> {
        match self.find(name) {
            None => Patch::Keep,
            Some(Json::Null) => Patch::Clear,
            Some(json) => self.value(name, json, parse).map_or(Patch::Keep, Patch::Set),
        }
    }

    /// Whether the field is there, be it `null`; it need not be asked for otherwise.
    pub fn has(&mut self, name: &'static str) -> bool {
        self.find(name).is_some()
    }

    /// Notes an error of the caller's own at `pointer`, relative to this object.
    pub fn error(&mut self, pointer: &str, code: &'static str, message: impl Into<String>) {
        if self.errors.len() < MOST_ERRORS {
            self.errors.push(FieldError::at_pointer(pointer, code, message));
        }
    }

    /// Whether something was wrong with the fields that were asked for.
    pub fn is_wrong(&self) -> bool {
        !self.errors.is_empty()
    }

    /// Refuses what nobody asked for.
    ///
    /// # Errors
    /// All errors of all fields, at most [`MOST_ERRORS`].
    pub fn finish(mut self) -> Result<(), Vec<FieldError>> {
        for (name, _) in self.object.entries() {
            if self.known.contains(&name.as_str()) || self.errors.len() >= MOST_ERRORS {
                continue;
            }
            let message = if self.read_only.contains(&name.as_str()) {
                "is read-only".to_owned()
            } else {
                unknown_name("field", name, self.known.iter().copied())
            };
            self.error(&pointer_to(name), "unknown_field", message);
        }
        if self.errors.is_empty() { Ok(()) } else { Err(self.errors) }
    }

    /// Finishes and puts the values together; `make` may use `?` on what was required.
    ///
    /// # Errors
    /// As [`finish`](Self::finish); where nothing is wrong and `make` still has nothing, `invalid_value`.
    pub fn build<T>(self, make: impl FnOnce() -> Option<T>) -> Result<T, Vec<FieldError>> {
        self.finish()?;
        make().ok_or_else(|| vec![FieldError::at_pointer("", "invalid_value", "is not valid")])
    }

    fn find(&mut self, name: &'static str) -> Option<&'a Json> {
        if !self.known.contains(&name) {
            self.known.push(name);
        }
        self.object.get(name)
    }

    fn not_null<T, E: Into<Faults>>(
        &mut self,
        name: &str,
        json: &Json,
        parse: impl FnOnce(&Json) -> Result<T, E>,
    ) -> Option<T> {
        if *json == Json::Null {
            self.error(&pointer_to(name), "null_not_allowed", "must not be null");
            return None;
        }
        self.value(name, json, parse)
    }

    fn value<T, E: Into<Faults>>(
        &mut self,
        name: &str,
        json: &Json,
        parse: impl FnOnce(&Json) -> Result<T, E>,
    ) -> Option<T> {
        let Faults(faults) = match parse(json) {
            Ok(value) => return Some(value),
            Err(faults) => faults.into(),
        };
        for fault in faults {
            let Fault { at, code, message } = fault.within(name);
            self.error(&at, code, message);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{boolean, integer, list, object, parse, text};

    type Read<T> = Result<T, Vec<(String, &'static str, String)>>;

    fn read<T>(body: &str, read: impl FnOnce(Fields<'_>) -> Result<T, Vec<FieldError>>) -> Read<T> {
        let tree = parse(body.as_bytes()).unwrap();
        read(tree.fields().unwrap())
            .map_err(|errors| errors.into_iter().map(|it| (it.pointer.unwrap(), it.code, it.message)).collect())
    }

    fn places<T>(result: Read<T>) -> Vec<(String, &'static str)> {
        result.err().unwrap_or_default().into_iter().map(|(pointer, code, _)| (pointer, code)).collect()
    }

    fn a_contact(mut body: Fields<'_>) -> Result<(String, Option<i64>, Patch<String>), Vec<FieldError>> {
        let name = body.required("name", text(1..=5));
        let age = body.optional("age", integer(0..=150));
        let email = body.patch("email", text(1..=50));
        body.read_only(&["id", "created_at"]).build(|| Some((name?, age, email)))
    }

    #[test]
    fn a_good_body_becomes_values() {
        let full = read(r#"{"name":"Ada","age":36,"email":"ada@example.com"}"#, a_contact);
        assert_eq!(full, Ok(("Ada".into(), Some(36), Patch::Set("ada@example.com".into()))));
        assert_eq!(read(r#"{"name":"Ada","email":null}"#, a_contact), Ok(("Ada".into(), None, Patch::Clear)));
        assert_eq!(read(r#"{"name":"Ada"}"#, a_contact), Ok(("Ada".into(), None, Patch::Keep)));
    }

    #[test]
    fn everything_that_is_wrong_is_said_at_once() {
        let wrong = read(r#"{"age":null,"email":7,"nmae":"x","id":1,"zzz":{}}"#, a_contact).unwrap_err();
        let expected = [
            ("/name", "required", "is required"),
            ("/age", "null_not_allowed", "must not be null"),
            ("/email", "wrong_type", "expected a string, got a number"),
            ("/nmae", "unknown_field", "unknown field; did you mean `name`?"),
            ("/id", "unknown_field", "is read-only"),
            ("/zzz", "unknown_field", "unknown field"),
        ];
        assert_eq!(wrong, expected.map(|(pointer, code, message)| (pointer.into(), code, message.into())));
    }

    #[test]
    fn errors_of_the_tree_are_answered_with_the_others() {
        let wrong = read(r#"{"name":"a\u0000b","age":"x"}"#, a_contact);
        assert_eq!(places(wrong), [("/name".into(), "invalid_character"), ("/age".into(), "wrong_type")]);
    }

    #[test]
    fn null_is_absence_where_an_object_is_made() {
        let made = |body: &str| {
            read(body, |mut body| {
                let note = body.nullable("note", text(1..=5));
                body.build(|| Some(note))
            })
        };
        assert_eq!(
            (made("{}"), made(r#"{"note":null}"#), made(r#"{"note":"x"}"#)),
            (Ok(None), Ok(None), Ok(Some("x".into())))
        );
        assert_eq!(places(made(r#"{"note":""}"#)), [("/note".into(), "blank")]);
    }

    #[test]
    fn pointers_reach_into_what_is_nested() {
        let wrong = read(r#"{"a/b":{"items":[{"on":true},{"on":1,"off":2}]}}"#, |mut body| {
            let items = object(|it| it.required("items", list(0..=9, object(|it| it.required("on", boolean)))));
            let read = body.required("a/b", items);
            body.build(|| read)
        });
        let expected = [("/a~1b/items/1/on".into(), "wrong_type"), ("/a~1b/items/1/off".into(), "unknown_field")];
        assert_eq!(places(wrong), expected);
    }

    #[test]
    fn callers_add_their_own_errors_and_parsers() {
        let wrong = read(r#"{"even":3}"#, |mut body| {
            let even = body.required("even", |json| {
                let number = integer(0..=9)(json)?;
                if number % 2 == 0 { Ok(number) } else { Err(Faults::from(("odd", "must be even".to_owned()))) }
            });
            let plain = body.optional("other", |_| Err::<(), _>(("never", "never asked".to_owned())));
            assert_eq!(plain, None);
            body.error("/even/deep", "own", "mine");
            body.build(|| even)
        });
        assert_eq!(places(wrong), [("/even".into(), "odd"), ("/even/deep".into(), "own")]);
    }

    #[test]
    fn a_body_that_is_no_object_is_told_so() {
        for (body, got) in [("[]", "an array"), ("null", "null"), ("\"{}\"", "a string")] {
            let Err(BodyError::Invalid(errors)) = parse(body.as_bytes()).unwrap().fields().map(drop) else {
                panic!("{body}")
            };
            assert_eq!(errors, [FieldError::at_pointer("", "wrong_type", format!("expected an object, got {got}"))]);
        }
    }

    #[test]
    fn an_answer_is_small_however_long_the_keys_are() {
        let key = "\u{1}k".repeat(60_000).replace('\u{1}', "\\u0001");
        let items: Vec<String> = (0..100).map(|_| "{\"a\":1,\"b\":2}".to_owned()).collect();
        let body = format!("{{\"{key}\":[{}]}}", items.join(","));
        let wrong = parse(body.as_bytes()).unwrap();
        let mut fields = wrong.fields().unwrap();
        for _ in 0..MOST_ERRORS {
            fields.error(&format!("/{key}"), "wrong_type", key.clone());
        }
        let errors = fields.finish().unwrap_err();
        let gathered: usize =
            errors.iter().map(|it| it.pointer.as_ref().map_or(0, String::len) + it.message.len()).sum();
        assert!(gathered < 100 * 800, "{gathered}");
        let answer = crate::problem::Problem::validation(errors).body(None, None);
        assert!(answer.len() < 64 * 1024, "{}", answer.len());
    }

    #[test]
    fn ten_thousand_unknown_fields_make_a_hundred_errors() {
        let fields: Vec<String> = (0..10_000).map(|number| format!("\"nam{number}\":0")).collect();
        let wrong = read(&format!("{{{}}}", fields.join(",")), a_contact);
        assert_eq!(places(wrong).len(), MOST_ERRORS);
    }
}
