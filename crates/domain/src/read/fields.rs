//! Reading the fields of an object and gathering everything that is wrong with them.

use super::{Input, Members, Read, Report, Violation, pointer_to, texts, wrong_type};
use crate::patch::Patch;

/// The fields of one object, as its reader asks for them by name. What is wrong is noted in one [`Report`], with its
/// place in all that is read. A method that gives `None` where a value was needed has noted why.
///
/// `C` is what a reader gathers beside the values, for the objects inside this one, too.
#[derive(Debug)]
pub struct Fields<'a, C = ()> {
    members: Members<'a>,
    /// Where the object stands: a pointer.
    at: String,
    known: Vec<&'static str>,
    read_only: &'static [&'static str],
    report: &'a mut Report,
    /// What is gathered.
    pub context: &'a mut C,
}

impl Fields<'_> {
    /// Reads an object; of its fields, what nobody asked for is refused. What was wrong before stands in `report`.
    ///
    /// # Errors
    /// Everything that is wrong; `wrong_type` alone where it is no object.
    pub fn read<T>(
        input: Input<'_>,
        mut report: Report,
        read: impl FnOnce(&mut Fields<'_>) -> Option<T>,
    ) -> Result<T, Vec<Violation>> {
        let Input::Object(members) = input else { return Err(wrong_type("an object", input).into()) };
        let mut context = ();
        let mut fields = Fields::over(members, &mut report, &mut context);
        let value = read(&mut fields);
        fields.finish();
        report.judge(value)
    }
}

impl<'a, C> Fields<'a, C> {
    /// The fields of an object that stands by itself: pointers are relative to it.
    pub fn over(members: Members<'a>, report: &'a mut Report, context: &'a mut C) -> Self {
        Self { members, at: String::new(), known: Vec::new(), read_only: &[], report, context }
    }

    /// Names that answers show and requests may not set: they are told apart from unknown ones.
    pub fn read_only(&mut self, names: &'static [&'static str]) {
        self.read_only = names;
    }

    /// A field that must be there and not `null`.
    pub fn required<T>(&mut self, name: &'static str, reader: impl Read<T>) -> Option<T> {
        match self.find(name) {
            None => {
                self.wrong(name, "required", "is required");
                None
            }
            Some(input) => self.not_null(name, input, reader),
        }
    }

    /// A field that may be absent, but not `null`.
    pub fn optional<T>(&mut self, name: &'static str, reader: impl Read<T>) -> Option<T> {
        let input = self.find(name)?;
        self.not_null(name, input, reader)
    }

    /// A field that may be absent or `null`, which is the same, as when an object is made.
    pub fn nullable<T>(&mut self, name: &'static str, reader: impl Read<T>) -> Option<T> {
        match self.find(name)? {
            Input::Null => None,
            input => self.take(name, input, reader),
        }
    }

    /// A field that may be absent or `null`, which is the same as its default.
    pub fn or_default<T: Default>(&mut self, name: &'static str, reader: impl Read<T>) -> T {
        self.nullable(name, reader).unwrap_or_default()
    }

    /// A field of a merging update: absent keeps, `null` clears, a value sets. After an error it is
    /// [`Patch::Keep`].
    pub fn patch<T>(&mut self, name: &'static str, reader: impl Read<T>) -> Patch<T> {
        match self.find(name) {
            None => Patch::Keep,
            Some(Input::Null) => Patch::Clear,
            Some(input) => self.take(name, input, reader).map_or(Patch::Keep, Patch::Set),
        }
    }

    /// A field that must be there, be it `null`: `Some(None)` then. `missing` is what is said where it is not there.
    #[allow(clippy::option_option, reason = "`null` and wrong are different")]
    pub fn present<T>(&mut self, name: &'static str, reader: impl Read<T>, missing: &str) -> Option<Option<T>> {
        match self.find(name) {
            None => {
                self.wrong(name, "required", missing);
                None
            }
            Some(Input::Null) => Some(None),
            Some(input) => self.take(name, input, reader).map(Some),
        }
    }

    /// Whether the field is there, be it `null`; it need not be asked for otherwise.
    pub fn has(&mut self, name: &'static str) -> bool {
        self.find(name).is_some()
    }

    /// The field's value, whatever it is.
    pub fn get(&self, name: &str) -> Option<Input<'a>> {
        self.members.get(name)
    }

    /// Where the object stands: a pointer into all that is read.
    pub fn at(&self) -> &str {
        &self.at
    }

    /// Notes that something is wrong with a field.
    pub fn wrong(&mut self, name: &str, code: &'static str, message: impl Into<String>) {
        self.error(&pointer_to(name), code, message);
    }

    /// Notes that something is wrong at `pointer`, relative to the object.
    pub fn error(&mut self, pointer: &str, code: &'static str, message: impl Into<String>) {
        self.adopt([Violation::new(pointer, code, message)]);
    }

    /// Takes over what is wrong with a part of the object; pointers are relative to it.
    pub fn adopt(&mut self, violations: impl IntoIterator<Item = Violation>) {
        let at = &self.at;
        self.report.extend(violations.into_iter().map(|violation| violation.under(at)));
    }

    /// Whether something is wrong with all that was read so far.
    pub fn is_wrong(&self) -> bool {
        !self.report.is_empty()
    }

    /// Whether as much is wrong as is told; whoever comes here looks no further.
    pub fn is_full(&self) -> bool {
        self.report.is_full()
    }

    /// The known names that are near to one that is none.
    pub fn near<'n>(&mut self, name: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
        self.report.hints.nearest(name, known)
    }

    /// Refuses fields of other names before any is read, for those who know all names beforehand.
    pub fn only(&mut self, known: &[&str]) {
        self.refuse_others(known, |near| {
            let known = if near.is_empty() { known.join(", ") } else { near.join(", ") };
            format!("is not known here; did you mean: {known}")
        });
    }

    /// As [`only`](Self::only); `say` makes the sentence of the known names that are near.
    pub fn refuse_others(&mut self, known: &[&str], say: impl Fn(&[&str]) -> String) {
        for name in self.members.names().filter(|name| !known.contains(name)) {
            if self.is_full() {
                return;
            }
            let near = self.near(name, known.iter().copied());
            self.wrong(name, "unknown_field", say(&near));
        }
    }

    /// Reads an object inside this one, which stands at `pointer`, relative to this one.
    pub fn within<T>(
        &mut self,
        pointer: &str,
        members: Members<'_>,
        read: impl FnOnce(&mut Fields<'_, C>) -> Option<T>,
    ) -> Option<T> {
        let at = format!("{}{pointer}", self.at);
        let (report, context) = (&mut *self.report, &mut *self.context);
        read(&mut Fields { members, at, known: Vec::new(), read_only: &[], report, context })
    }

    /// Refuses what nobody asked for.
    fn finish(mut self) {
        for name in self.members.names() {
            if self.is_full() {
                return;
            }
            if self.known.contains(&name) {
                continue;
            }
            let message = if self.read_only.contains(&name) {
                "is read-only".to_owned()
            } else {
                texts::unknown_name("field", name, self.known.iter().copied())
            };
            self.wrong(name, "unknown_field", message);
        }
    }

    fn find(&mut self, name: &'static str) -> Option<Input<'a>> {
        if !self.known.contains(&name) {
            self.known.push(name);
        }
        self.members.get(name)
    }

    fn not_null<T>(&mut self, name: &str, input: Input<'_>, reader: impl Read<T>) -> Option<T> {
        if input == Input::Null {
            self.wrong(name, "null_not_allowed", "must not be null");
            return None;
        }
        self.take(name, input, reader)
    }

    /// What a reader makes of the value of a field, whatever it is.
    pub fn take<T>(&mut self, name: &str, input: Input<'_>, reader: impl Read<T>) -> Option<T> {
        match reader.read(input) {
            Ok(value) => Some(value),
            Err(violations) => {
                self.adopt(violations.into_iter().map(|violation| violation.within(name)));
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{MOST_VIOLATIONS, boolean, integer, list, object, parse, text};

    type Told<T> = Result<T, Vec<(String, &'static str, String)>>;

    fn read<T>(body: &str, read: impl FnOnce(&mut Fields<'_>) -> Option<T>) -> Told<T> {
        let read = parse(body.as_bytes()).unwrap().read(read);
        read.map_err(|wrong| wrong.into_iter().map(|it| (it.pointer, it.code, it.message)).collect())
    }

    fn places<T>(result: Told<T>) -> Vec<(String, &'static str)> {
        result.err().unwrap_or_default().into_iter().map(|(pointer, code, _)| (pointer, code)).collect()
    }

    fn a_contact(body: &mut Fields<'_>) -> Option<(String, Option<i64>, Patch<String>)> {
        body.read_only(&["id", "created_at"]);
        let name = body.required("name", text(1..=5));
        let age = body.optional("age", integer(0..=150));
        let email = body.patch("email", text(1..=50));
        Some((name?, age, email))
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
        let made = |body: &str| read(body, |body| Some(body.nullable("note", text(1..=5))));
        assert_eq!(
            (made("{}"), made(r#"{"note":null}"#), made(r#"{"note":"x"}"#)),
            (Ok(None), Ok(None), Ok(Some("x".into())))
        );
        assert_eq!(places(made(r#"{"note":""}"#)), [("/note".into(), "blank")]);
    }

    #[test]
    fn pointers_reach_into_what_is_nested() {
        let wrong = read(r#"{"a/b":{"items":[{"on":true},{"on":1,"off":2}]}}"#, |body| {
            let item = || object(|it| it.required("on", boolean()));
            body.required("a/b", object(|it| it.required("items", list(0..=9, item()))))
        });
        let expected = [("/a~1b/items/1/on".into(), "wrong_type"), ("/a~1b/items/1/off".into(), "unknown_field")];
        assert_eq!(places(wrong), expected);
    }

    #[test]
    fn callers_add_their_own_errors_and_readers() {
        let wrong = read(r#"{"even":3}"#, |body| {
            let even = body.required("even", |input: Input<'_>| {
                let number = integer(0..=9).read(input)?;
                if number % 2 == 0 { Ok(number) } else { Err(Violation::here("odd", "must be even").into()) }
            });
            let plain =
                body.optional("other", |_: Input<'_>| Err::<(), _>(Violation::here("never", "never asked").into()));
            assert_eq!(plain, None);
            body.error("/even/deep", "own", "mine");
            even
        });
        assert_eq!(places(wrong), [("/even".into(), "odd"), ("/even/deep".into(), "own")]);
    }

    #[test]
    fn what_is_gathered_beside_the_values_has_its_place() {
        let value = serde_json::json!({"list": [{"name": "a"}, {"nmae": 1}]});
        let Input::Object(members) = Input::from(&value) else { panic!("an object") };
        let (mut report, mut seen) = (Report::default(), Vec::new());
        let mut fields = Fields::over(members, &mut report, &mut seen);
        for (index, item) in fields.get("list").and_then(Input::as_array).unwrap().iter().enumerate() {
            fields.within(&format!("/list/{index}"), item.as_object().unwrap(), |it| {
                it.only(&["name"]);
                let place = it.at().to_owned();
                it.context.push(place);
                Some(())
            });
        }
        assert_eq!(seen, ["/list/0", "/list/1"]);
        assert_eq!(
            report.into_violations(),
            [Violation::new("/list/1/nmae", "unknown_field", "is not known here; did you mean: name")]
        );
    }

    #[test]
    fn a_body_that_is_no_object_is_told_so() {
        for (body, got) in [("[]", "an array"), ("null", "null"), ("\"{}\"", "a string")] {
            let wrong = read(body, |_| Some(())).unwrap_err();
            assert_eq!(wrong, [(String::new(), "wrong_type", format!("expected an object, got {got}"))]);
        }
    }

    #[test]
    fn what_is_told_is_short_however_long_the_keys_are() {
        let key = "\u{1}k".repeat(60_000).replace('\u{1}', "\\u0001");
        let items: Vec<String> = (0..100).map(|_| "{\"a\":1,\"b\":2}".to_owned()).collect();
        let wrong = read(&format!("{{\"{key}\":[{}]}}", items.join(",")), |body| {
            for _ in 0..MOST_VIOLATIONS {
                body.error(&format!("/{key}"), "wrong_type", key.clone());
            }
            Some(())
        });
        let gathered: usize =
            wrong.unwrap_err().iter().map(|(pointer, _, message)| pointer.len() + message.len()).sum();
        assert!(gathered < 100 * 800, "{gathered}");
    }

    #[test]
    fn ten_thousand_unknown_fields_make_a_hundred_errors() {
        let fields: Vec<String> = (0..10_000).map(|number| format!("\"nam{number}\":0")).collect();
        let wrong = read(&format!("{{{}}}", fields.join(",")), a_contact);
        assert_eq!(places(wrong).len(), MOST_VIOLATIONS);
    }
}
