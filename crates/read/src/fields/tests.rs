//! Tests of reading fields, and of the reported errors.

use super::*;
use crate::{MOST_VIOLATIONS, boolean, integer, list, object, parse, text};

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
fn reads_the_values_of_a_valid_body() {
    let full = read(r#"{"name":"Ada","age":36,"email":"ada@example.com"}"#, a_contact);
    assert_eq!(full, Ok(("Ada".into(), Some(36), Patch::Set("ada@example.com".into()))));
    assert_eq!(read(r#"{"name":"Ada","email":null}"#, a_contact), Ok(("Ada".into(), None, Patch::Clear)));
    assert_eq!(read(r#"{"name":"Ada"}"#, a_contact), Ok(("Ada".into(), None, Patch::Keep)));
}

#[test]
fn reports_all_violations_at_once() {
    let wrong = read(r#"{"age":null,"email":7,"nmae":"x","id":1,"zzz":{}}"#, a_contact).unwrap_err();
    let expected = [
        ("/name", "required", "is required"),
        ("/age", "null_not_allowed", "must not be null"),
        ("/email", "wrong_type", "expected a string, got a number"),
        ("/nmae", "unknown_field", "unknown field; did you mean `name`?"),
        ("/id", "unknown_field", "is read-only"),
        ("/zzz", "unknown_field", "unknown field; expected one of: name, age, email"),
    ];
    assert_eq!(wrong, expected.map(|(pointer, code, message)| (pointer.into(), code, message.into())));
}

#[test]
fn reports_errors_of_the_tree_with_the_others() {
    let wrong = read(r#"{"name":"a\u0000b","age":"x"}"#, a_contact);
    assert_eq!(places(wrong), [("/name".into(), "invalid_character"), ("/age".into(), "wrong_type")]);
}

#[test]
fn nullable_reads_null_as_absent() {
    let made = |body: &str| read(body, |body| Some(body.nullable("note", text(1..=5))));
    assert_eq!(
        (made("{}"), made(r#"{"note":null}"#), made(r#"{"note":"x"}"#)),
        (Ok(None), Ok(None), Ok(Some("x".into())))
    );
    assert_eq!(places(made(r#"{"note":""}"#)), [("/note".into(), "blank")]);
}

#[test]
fn given_passes_null_to_the_reader() {
    let given = |body: &str| read(body, |body| Some(body.given("note", text(1..=5))));
    assert_eq!((given("{}"), given(r#"{"note":"x"}"#)), (Ok(None), Ok(Some("x".into()))));
    let wrong = given(r#"{"note":null,"nota":1}"#).unwrap_err();
    let expected = [
        ("/note", "wrong_type", "expected a string, got null"),
        ("/nota", "unknown_field", "unknown field; did you mean `note`?"),
    ];
    assert_eq!(wrong, expected.map(|(pointer, code, message)| (pointer.into(), code, message.into())));
}

#[test]
fn reports_unknown_fields_of_a_part_first() {
    let value = serde_json::json!({"age": 200, "nmae": 1, "zzzzzzzz": 2});
    let members = Input::from(&value).as_object().unwrap();
    let expected = [
        ("/nmae", "unknown_field", "unknown field; did you mean: name"),
        ("/zzzzzzzz", "unknown_field", "unknown field; expected one of: name, age, email"),
        ("/name", "required", "is required"),
        ("/age", "out_of_range", "must be between 0 and 150"),
    ];
    let expected = expected.map(|(pointer, code, message)| Violation::new(pointer, code, message));
    assert_eq!(Fields::read_part(members, a_contact), Err(expected.to_vec()));
    let right = serde_json::json!({"name": "Ada", "age": 36});
    let read = Fields::read_part(Input::from(&right).as_object().unwrap(), a_contact);
    assert_eq!(read, Ok(("Ada".into(), Some(36), Patch::Keep)));
}

#[test]
fn pointers_reach_into_nested_values() {
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
            if number % 2 == 0 { Ok(number) } else { Err(Violation::at_root("odd", "must be even").into()) }
        });
        let plain =
            body.optional("other", |_: Input<'_>| Err::<(), _>(Violation::at_root("never", "never asked").into()));
        assert_eq!(plain, None);
        body.error("/even/deep", "own", "mine");
        even
    });
    assert_eq!(places(wrong), [("/even".into(), "odd"), ("/even/deep".into(), "own")]);
}

#[test]
fn nested_objects_share_the_context_and_know_their_pointer() {
    let value = serde_json::json!({"list": [{"name": "a"}, {"nmae": 1}]});
    let Input::Object(members) = Input::from(&value) else { panic!("expected an object") };
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
        [Violation::new("/list/1/nmae", "unknown_field", "unknown field; did you mean: name")]
    );
}

#[test]
fn rejects_a_body_that_is_not_an_object() {
    for (body, got) in [("[]", "an array"), ("null", "null"), ("\"{}\"", "a string")] {
        let wrong = read(body, |_| Some(())).unwrap_err();
        assert_eq!(wrong, [(String::new(), "wrong_type", format!("expected an object, got {got}"))]);
    }
}

#[test]
fn limits_the_size_of_violations_with_long_keys() {
    let key = "\u{1}k".repeat(60_000).replace('\u{1}', "\\u0001");
    let items: Vec<String> = (0..100).map(|_| "{\"a\":1,\"b\":2}".to_owned()).collect();
    let wrong = read(&format!("{{\"{key}\":[{}]}}", items.join(",")), |body| {
        for _ in 0..MOST_VIOLATIONS {
            body.error(&format!("/{key}"), "wrong_type", key.clone());
        }
        Some(())
    });
    let gathered: usize = wrong.unwrap_err().iter().map(|(pointer, _, message)| pointer.len() + message.len()).sum();
    assert!(gathered < 100 * 800, "{gathered}");
}

#[test]
fn reports_at_most_a_hundred_unknown_fields() {
    let fields: Vec<String> = (0..10_000).map(|number| format!("\"nam{number}\":0")).collect();
    let wrong = read(&format!("{{{}}}", fields.join(",")), a_contact);
    assert_eq!(places(wrong).len(), MOST_VIOLATIONS);
}
