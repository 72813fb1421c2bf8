//! The examples of the document: recorded requests and responses, by schema name.
//!
//! `RECORD_EXAMPLES=1 cargo test --test service openapi::on_sqlite` writes them again. Their IDs,
//! times and secrets are replaced by invented ones.

use std::collections::BTreeMap;
use std::sync::Mutex;

use regex::{Captures, Regex};
use serde_json::{Value, json};
use tidings_credentials::system::SystemClock;
use tidings_domain::ports::Clock;
use tidings_domain::time::Timestamp;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../http/src/openapi/examples.json");
/// The longest of several examples with at most this many bytes is stored: it shows the most and is still short.
const GLANCE: usize = 1_200;
/// The suffix of IDs in examples; no object has it.
const NOBODY: &str = "01h455vb4pex5vsknk084sn000";
/// The current time in the examples.
const PRESENT: &str = "2026-03-02T09:00:00.000Z";

static SEEN: Mutex<BTreeMap<String, Value>> = Mutex::new(BTreeMap::new());

/// Records a request or response of this schema.
pub fn note(schema: &Value, value: &Value) {
    let Some(name) = schema["$ref"].as_str().and_then(|it| it.rsplit('/').next()) else { return };
    let value = cut(&without_references(&first_row(value)));
    let mut seen = SEEN.lock().unwrap();
    let kept = seen.get(name).map(length);
    if kept.is_none_or(|kept| rank(length(&value)) > rank(kept)) {
        seen.insert(name.to_owned(), value);
    }
}

/// Writes the recorded examples if `RECORD_EXAMPLES` is set.
pub fn write_if_asked() {
    if std::env::var_os("RECORD_EXAMPLES").is_none() {
        return;
    }
    let mut seen = SEEN.lock().unwrap();
    seen.extend(elsewhere());
    let text = serde_json::to_string_pretty(&*seen).unwrap() + "\n";
    std::fs::write(FILE, of_nobody(&text)).unwrap();
}

/// Examples from other tests: signed messages of a provider, and a response without a default channel.
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

/// Ranks lengths: longer is better up to the limit, and shorter beyond it.
fn rank(length: usize) -> i64 {
    let length = i64::try_from(length).unwrap();
    if length <= GLANCE as i64 { length } else { -length }
}

/// Returns a page with only its first row.
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

/// Replaces objects with a `$ref` by a plain object, because tools follow each `$ref` of a document.
fn without_references(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(without_references).collect(),
        Value::Object(members) if members.contains_key("$ref") => json!({"type": "object"}),
        Value::Object(members) => members.iter().map(|(name, part)| (name.clone(), without_references(part))).collect(),
        other => other.clone(),
    }
}

/// Shortens lists to one item if the example is too long.
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
        // Times more than 400 days away were part of a request and stay unchanged.
        match away.abs() < 400 * 86_400_000 {
            true => Timestamp::from_millis(present.millis() + away).to_string(),
            false => it[0].to_owned(),
        }
    });
    // A recorded response must not contain names of another workspace, because all readers see this document.
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
