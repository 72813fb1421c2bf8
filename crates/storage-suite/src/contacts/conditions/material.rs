//! Values for random contacts and conditions.

use std::time::Duration;

use serde_json::{Value, json};
use tidings_domain::fields::FieldKind;
use tidings_domain::time::Timestamp;

use super::DAY;
use crate::fixtures::at;

/// A random number generator that is deterministic for a seed (SplitMix64).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }

    /// Returns true once in `times` times on average.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(super) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// Texts that databases and programs often treat differently.
pub(super) fn texts() -> Vec<String> {
    let mut texts: Vec<String> = [
        "",
        " ",
        "Ada",
        "ADA  lovelace",
        "ada",
        "Ärger",
        "a\u{308}RGER",
        "Straße",
        "STRASSE",
        "İstanbul",
        "istanbul",
        "ﬁn",
        "fin",
        "100%",
        "100",
        "a_b",
        "aXb",
        "back\\slash",
        "back",
        "it's \"quoted\"",
        "日本",
        "日本語",
        "Ｆｕｌｌ",
        "full",
        "-",
        "18",
        "9",
        "é",
        "\u{1f600}",
        "z\u{10ffff}",
        "a\u{200d}b",
        "Σίσυφος",
        "ΣΊΣΥΦΟΣ",
    ]
    .map(str::to_owned)
    .into();
    for length in [199, 200, 201] {
        texts.push("x".repeat(length));
        texts.push(format!("{}Y", "x".repeat(length)));
        texts.push("é".repeat(length));
    }
    texts
}

pub(super) fn numbers() -> Vec<Value> {
    vec![
        json!(0),
        json!(-0.0),
        json!(1),
        json!(18),
        json!(18.0),
        json!(18.5),
        json!(9),
        json!(100),
        json!(-1),
        json!(-10),
        json!(1e-9),
        json!(-1e300),
        json!(1e300),
        json!(0.1),
        json!(9_007_199_254_740_992_i64),
        json!(9_007_199_254_740_993_i64),
        json!(i64::MIN),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(5e-324),
    ]
}

pub(super) const DATES: [&str; 6] =
    ["0001-01-01", "1999-12-31", "2025-12-31", "2026-01-01", "2026-01-02", "9999-12-31"];

pub(super) fn instants() -> Vec<Timestamp> {
    let around = [0, 1, 999, 3_600_000, 86_400_000, 172_800_000].map(Duration::from_millis);
    let both = around.into_iter().flat_map(|by| [at(DAY).plus(by), at(DAY).minus(by)]);
    both.chain([Timestamp::from_millis(i64::MIN), Timestamp::from_millis(i64::MAX)]).collect()
}

pub(super) const OPTIONS: [&str; 5] = ["red", "Größe", "100%", "a_b", "re"];

/// Returns a random value of a field's type, in stored form.
pub(super) fn a_value(random: &mut Random, kind: FieldKind) -> Value {
    match kind {
        FieldKind::Text => json!(random.pick(&texts())),
        FieldKind::Number => random.pick(&numbers()).clone(),
        FieldKind::Boolean => json!(random.once_in(2)),
        FieldKind::Date => json!(random.pick(&DATES)),
        FieldKind::Datetime => json!(random.pick(&instants())),
        FieldKind::Email => json!(random.pick(&["ada@example.com", "eve@example.com", "a_b@example.com"])),
        FieldKind::Phone => json!(random.pick(&["+49301234567", "+14155550100"])),
        FieldKind::Url => json!(random.pick(&["https://a.io/", "https://a.io/%C3%A4_b", "http://b.io/?q=1%25"])),
        FieldKind::Select => json!(random.pick(&OPTIONS)),
        FieldKind::MultiSelect => {
            json!(OPTIONS.iter().filter(|_| random.once_in(3)).collect::<Vec<_>>())
        }
    }
}

/// Returns the fields that conditions can use, with their types.
pub(super) fn fields() -> Vec<(String, &'static str)> {
    let mut fields: Vec<(String, &'static str)> = [
        ("id", "id"),
        ("external_id", "text"),
        ("first_name", "text"),
        ("last_name", "text"),
        ("name", "text"),
        ("email", "email"),
        ("phone", "phone"),
        ("locale", "text"),
        ("time_zone", "text"),
        ("avatar_url", "presence"),
        ("status", "status"),
        ("subscribed", "boolean"),
        ("last_message_at", "datetime"),
        ("created_at", "datetime"),
        ("updated_at", "datetime"),
        ("tags", "tags"),
        ("bot_fields.limit", "number"),
        ("bot_fields.empty", "text"),
        ("conversation.status", "conversation status"),
        ("conversation.handler", "handler"),
        ("conversation.unread_count", "number"),
        ("conversation.reopen_count", "number"),
        ("conversation.last_message_at", "datetime"),
        ("conversation.waiting_since", "datetime"),
        ("conversation.resolved_at", "datetime"),
        ("conversation.assignee_id", "assignee"),
    ]
    .map(|(name, kind)| (name.to_owned(), kind))
    .into();
    fields.extend(FieldKind::WORDS.iter().map(|kind| (format!("custom_fields.{kind}"), *kind)));
    fields
}

pub(super) fn operators(kind: &str) -> &'static [&'static str] {
    match kind {
        "text" | "email" | "phone" | "url" => {
            &["eq", "ne", "in", "not_in", "contains", "starts_with", "exists", "not_exists"]
        }
        "number" => &["eq", "ne", "in", "not_in", "gt", "gte", "lt", "lte", "between", "exists", "not_exists"],
        "date" | "datetime" => &[
            "eq",
            "ne",
            "in",
            "not_in",
            "gt",
            "gte",
            "lt",
            "lte",
            "between",
            "before",
            "after",
            "within_last",
            "exists",
            "not_exists",
        ],
        "boolean" => &["eq", "ne", "exists", "not_exists"],
        "presence" => &["exists", "not_exists"],
        "tags" | "multi_select" => &["has", "has_not", "in", "not_in", "exists", "not_exists"],
        _ => &["eq", "ne", "in", "not_in", "exists", "not_exists"],
    }
}

pub(super) fn maybe<T>(random: &mut Random, make: impl FnOnce(&mut Random) -> T) -> Option<T> {
    if random.once_in(3) { None } else { Some(make(random)) }
}
