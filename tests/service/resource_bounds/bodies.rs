//! The most expensive bodies and queries of an allowed length.

use serde_json::{Map, Value, json};

/// Returns named bodies of up to `limit` bytes. `valid` is a body that the route accepts.
pub fn shapes(limit: usize, valid: Option<&Value>) -> Vec<(&'static str, Vec<u8>)> {
    let mut shapes = vec![
        ("the deepest array", "[".repeat(limit)),
        ("the deepest object", r#"{"a":"#.repeat(limit / 5)),
        ("the most keys", object_of(limit, |number| format!(r#""k{number}":0"#))),
        ("the longest key", format!(r#"{{"{}":0}}"#, "k".repeat(limit - 6))),
        ("one key many times", object_of(limit, |_| r#""k":0"#.to_owned())),
        ("escapes that grow", format!(r#"{{"{}":0}}"#, r"\u0001".repeat(limit / 6 - 2))),
        ("wrong in many places below a long key", deep_errors(limit)),
        ("the longest number", format!(r#"{{"a":{}}}"#, "9".repeat(limit - 7))),
        ("nothing but spaces", " ".repeat(limit)),
    ];
    if let Some(Value::Object(valid)) = valid {
        shapes.extend(valid.keys().flat_map(|key| {
            let room = limit - 200;
            let with = |value: Value| {
                let mut body = valid.clone();
                body.insert(key.clone(), value);
                serde_json::to_string(&body).unwrap()
            };
            [
                ("the longest text", with(Value::String("x".repeat(room)))),
                ("the longest list", with(json!(vec!["x"; room / 4]))),
                ("the longest object", with(Value::Object(keys(room)))),
            ]
        }));
    }
    let fits = |(name, text): (&'static str, String)| {
        assert!(text.len() <= limit, "{name} is {} bytes long", text.len());
        (name, text.into_bytes())
    };
    shapes.into_iter().map(fits).collect()
}

/// Returns named queries.
pub fn queries() -> Vec<(&'static str, String)> {
    let many = |part: &str, length: usize| vec![part; length / (part.len() + 1)].join("&");
    vec![
        ("the largest page", "limit=100".to_owned()),
        ("a page of pages", "limit=4294967295".to_owned()),
        ("many unknown parameters", many("k=v", 6_000)),
        ("one parameter many times", many("limit=1", 6_000)),
        ("a long value", format!("cursor={}", "A".repeat(6_000))),
        ("a long name", format!("{}=1", "n".repeat(6_000))),
        ("escapes", format!("q={}", "%00".repeat(2_000))),
        ("words", format!("q={}", "a+".repeat(3_000))),
    ]
}

fn object_of(limit: usize, member: impl Fn(usize) -> String) -> String {
    let mut text = String::from("{");
    for number in 0.. {
        let member = member(number);
        if text.len() + member.len() + 2 > limit {
            break;
        }
        text.push_str(&member);
        text.push(',');
    }
    text.pop();
    text.push('}');
    text
}

fn keys(room: usize) -> Map<String, Value> {
    (0..room / 16).map(|number| (format!("k{number:06}"), Value::Null)).collect()
}

/// Returns a body that is half a long key and half invalid values below it.
fn deep_errors(limit: usize) -> String {
    let key = "k".repeat(limit / 2);
    let members = vec!["{}"; limit / 2 / 4].join(",");
    format!(r#"{{"{key}":[{members}]}}"#)
}
