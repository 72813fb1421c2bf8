//! The examples of the document: what was sent and answered here, by the names of its schemas.
//!
//! `RECORD_EXAMPLES=1 cargo test --test service answers_are_as_documented_on_sqlite` writes them anew; ids, times
//! and secrets in them are those of nobody.

use std::collections::BTreeMap;
use std::sync::Mutex;

use regex::{Captures, Regex};
use serde_json::{Value, json};
use tidings_credentials::system::SystemClock;
use tidings_domain::ports::Clock;
use tidings_domain::time::Timestamp;

/// Where they are kept.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../http/src/openapi/examples.json");
/// Of several, the longest of at most this many bytes is kept: it shows most and can be read at a glance.
const GLANCE: usize = 1_200;
/// Nothing has this id.
const NOBODY: &str = "01h455vb4pex5vsknk084sn000";
/// The present of the examples.
const PRESENT: &str = "2026-03-02T09:00:00.000Z";

static SEEN: Mutex<BTreeMap<String, Value>> = Mutex::new(BTreeMap::new());

/// Notes what was sent or answered by this schema.
pub fn note(schema: &Value, value: &Value) {
    let Some(name) = schema["$ref"].as_str().and_then(|it| it.rsplit('/').next()) else { return };
    let value = cut(&without_references(&first_row(value)));
    let mut seen = SEEN.lock().unwrap();
    let kept = seen.get(name).map(length);
    if kept.is_none_or(|kept| rank(length(&value)) > rank(kept)) {
        seen.insert(name.to_owned(), value);
    }
}

/// Writes what was noted, if that is asked for.
pub fn write_if_asked() {
    if std::env::var_os("RECORD_EXAMPLES").is_none() {
        return;
    }
    let mut seen = SEEN.lock().unwrap();
    seen.extend(elsewhere());
    let text = serde_json::to_string_pretty(&*seen).unwrap() + "\n";
    std::fs::write(FILE, of_nobody(&text)).unwrap();
}

/// What other tests send and get: signed messages of a provider, and the last channel but one.
fn elsewhere() -> [(String, Value); 3] {
    let sent = json!({"type": "message", "id": "wamid.1", "from": {"address": "+4930765", "name": "Ada"},
        "text": "When do you open?", "timestamp": PRESENT});
    [
        ("Inbound".to_owned(), sent),
        ("InboundReceipt".to_owned(), json!({"message_id": format!("msg_{NOBODY}")})),
        ("DefaultChannel".to_owned(), json!({"default_channel": null})),
    ]
}

fn length(value: &Value) -> usize {
    value.to_string().len()
}

/// Longer is better up to what can be read at a glance; beyond, shorter is.
fn rank(length: usize) -> i64 {
    let length = i64::try_from(length).unwrap();
    if length <= GLANCE as i64 { length } else { -length }
}

/// A page with its first row alone.
fn first_row(value: &Value) -> Value {
    match value["data"].as_array() {
        Some(rows) if rows.len() > 1 => {
            let mut page = value.clone();
            page["data"] = json!([rows[0]]);
            page
        }
        _ => value.clone(),
    }
}

/// With an object in place of what tells where a schema is: tools follow each `$ref` of a document.
fn without_references(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(without_references).collect(),
        Value::Object(members) if members.contains_key("$ref") => json!({"type": "object"}),
        Value::Object(members) => members.iter().map(|(name, part)| (name.clone(), without_references(part))).collect(),
        other => other.clone(),
    }
}

/// Of what is too long for a glance the lists have one item each.
fn cut(value: &Value) -> Value {
    fn firsts(value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().take(1).map(firsts).collect(),
            Value::Object(members) => members.iter().map(|(name, part)| (name.clone(), firsts(part))).collect(),
            other => other.clone(),
        }
    }
    if length(value) > GLANCE { firsts(value) } else { value.clone() }
}

fn of_nobody(text: &str) -> String {
    let replace = |text: &str, pattern: &str, with: &mut dyn FnMut(&Captures) -> String| {
        Regex::new(pattern).unwrap().replace_all(text, with).into_owned()
    };
    let mut ids: BTreeMap<String, usize> = BTreeMap::new();
    let text = replace(text, r"\b([a-z]{2,12})_([0-7][0-9a-hjkmnp-tv-z]{25})\b", &mut |it| {
        let next = ids.len() + 1;
        format!("{}_01h455vb4pex5vsknk084sn{:03}", &it[1], ids.entry(it[2].to_owned()).or_insert(next))
    });
    let (now, present) = (SystemClock.now(), PRESENT.parse::<Timestamp>().unwrap());
    let text = replace(&text, r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", &mut |it| {
        let away = it[0].parse::<Timestamp>().unwrap().millis() - now.millis();
        // What a request named stays as it was named.
        match away.abs() < 400 * 86_400_000 {
            true => Timestamp::from_millis(present.millis() + away).to_string(),
            false => it[0].to_owned(),
        }
    });
    // No answer to one workspace names what another has, and this document is one to all.
    let text = text.replace("ACME", "SHOP").replace("acme", "shop");
    let text = replace(&text, r"http://127\.0\.0\.1:\d+", &mut |_| "https://shop.example.com".to_owned());
    let text = replace(&text, r"tdg_(live|test)_\w+", &mut |it| format!("tdg_{}_OpensNothing0000000000", &it[1]));
    let text = replace(&text, r"whsec_[\w+/=]+", &mut |_| "whsec_c2lnbnMgbm90aGluZyBidXQgZXhhbXBsZXM=".to_owned());
    let text = replace(&text, r"tdg_token_[\w-]+", &mut |_| "tdg_token_shown-once".to_owned());
    let text = replace(&text, r"/inbound/[\w-]+", &mut |_| "/inbound/known-to-the-provider".to_owned());
    let text =
        replace(&text, r#""(\w*password)": "[^"]+""#, &mut |it| format!(r#""{}": "correct horse battery""#, &it[1]));
    let token = r#""[\w-]{20,}\.[\w-]+\.[\w-]{20,}""#;
    replace(&text, token, &mut |_| r#""eyJhbGciOiJFUzI1NiJ9.e30.b2ZOb2JvZHk""#.to_owned())
}
