//! Conditions that no contact can match, and conditions that some contact can match.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::conditions::{Judging, Operator, Satisfiability, SearchBudget};

fn judged(written: &Value, others: &[&Value]) -> Satisfiability {
    let vocabulary = vocabulary();
    let judging = Judging {
        vocabulary: &vocabulary,
        is_single: &|path| path.first().is_some_and(|it| it == "one"),
        only_event: false,
    };
    let others: Vec<Condition> = others.iter().map(|other| parse(other)).collect();
    judging.judge(&parse(written), &others.iter().collect::<Vec<_>>(), &mut SearchBudget::default())
}

fn why(written: Value) -> Option<String> {
    match judged(&written, &[]) {
        Satisfiability::Possible => None,
        Satisfiability::Never(why) => Some(why),
    }
}

fn both(one: Value, other: Value) -> Value {
    json!({"all": [one, other]})
}

fn select(op: &str, value: Value) -> Value {
    leaf("custom_fields.select", op, value)
}

fn number(op: &str, value: Value) -> Value {
    leaf("custom_fields.number", op, value)
}

/// Splits a reason into the words before the comparisons and the comparisons, whose order does not matter.
fn clauses(reason: &str) -> (&str, Vec<&str>) {
    let end = reason.match_indices(' ').nth(3).map_or(reason.len(), |(place, _)| place);
    let (begin, rest) = reason.split_at(end);
    let mut comparisons: Vec<&str> = rest.trim_start().split(" and ").collect();
    comparisons.sort_unstable();
    (begin, comparisons)
}

#[test]
fn reports_contradictory_conditions_with_a_reason() {
    let date = |op: &str, value: &str| leaf("custom_fields.date", op, json!(value));
    let text = |op: &str, value: &str| leaf("first_name", op, json!(value));
    let there = |field: &str, op: &str| json!({"field": field, "op": op});
    for (never, reason) in [
        (
            both(select("eq", json!("red")), select("eq", json!("green"))),
            "no value of custom_fields.select is red and is green",
        ),
        (
            both(select("eq", json!("red")), select("ne", json!("RED"))),
            "no value of custom_fields.select is red and is not red",
        ),
        (
            both(number("gt", json!(30)), number("lt", json!(18))),
            "no value of custom_fields.number is above 30 and is below 18",
        ),
        (
            both(number("gt", json!(18)), number("lte", json!(18.0))),
            "no value of custom_fields.number is above 18 and is at most 18.0",
        ),
        (
            both(number("between", json!([1, 5])), number("in", json!([7, 9]))),
            "no value of custom_fields.number is from 1 to 5 and is one of 7, 9",
        ),
        (
            both(date("after", "2026-01-01"), date("before", "2026-01-02")),
            "no value of custom_fields.date is above 2026-01-01 and is below 2026-01-02",
        ),
        (
            both(text("starts_with", "Ada"), text("starts_with", "Bob")),
            "no value of first_name starts with ada and starts with bob",
        ),
        (both(text("eq", "Ada"), text("contains", "x")), "no value of first_name is ada and contains x"),
        (
            both(text("contains", "ada"), json!({"not": text("contains", "d")})),
            "no value of first_name contains ada and does not contain d",
        ),
        (
            both(text("eq", "Ada"), there("first_name", "not_exists")),
            "no value of first_name is ada and is not present",
        ),
        (
            both(leaf("tags", "has", json!("VIP")), leaf("tags", "has_not", json!("vip"))),
            "no value of tags is vip and is not vip",
        ),
        (
            both(
                leaf("created_at", "within_last", json!("P1D")),
                json!({"not": leaf("created_at", "within_last", json!("P7D"))}),
            ),
            "no value of created_at is within the last 86400 seconds and is not within the last 604800 seconds",
        ),
        (there("status", "not_exists"), "no value of status is not present"),
        (
            json!({"all": [there("custom_fields.select", "exists"), select("not_in", json!(["Red", "Green"]))]}),
            "no value of custom_fields.select is present and is not one of red, green",
        ),
        (
            both(leaf("event.one", "eq", json!("a")), leaf("event.one", "eq", json!("b"))),
            "no value of event.one is a and is b",
        ),
        (
            both(leaf("vars.a", "eq", json!("a")), leaf("vars.a", "ne", json!("A"))),
            "no value of vars.a is a and is not a",
        ),
        (json!({"any": []}), "it contains an empty list of alternatives"),
        (
            both(json!({"any": [number("lt", json!(1)), number("gt", json!(9))]}), number("between", json!([2, 3]))),
            "no value of custom_fields.number is below 1 and is from 2 to 3",
        ),
    ] {
        let told = why(never.clone()).unwrap_or_else(|| panic!("{never} may hold"));
        assert_eq!(clauses(&told), clauses(reason), "{never}");
    }
}

#[test]
fn accepts_conditions_that_may_hold() {
    let text = |op: &str, value: &str| leaf("first_name", op, json!(value));
    for possible in [
        json!({"all": []}),
        both(select("eq", json!("red")), select("in", json!(["red", "green"]))),
        both(select("ne", json!("red")), select("ne", json!("green"))),
        both(number("gt", json!(1)), number("lt", json!(2))),
        both(number("gte", json!(18)), number("lte", json!(18))),
        both(number("gt", json!(9_007_199_254_740_992_i64)), number("lt", json!(9_007_199_254_740_994_i64))),
        both(text("starts_with", "Ad"), text("starts_with", "Ada")),
        both(text("contains", "a"), json!({"not": text("starts_with", "a")})),
        both(leaf("tags", "has", json!("VIP")), leaf("tags", "has", json!("late"))),
        both(
            leaf("custom_fields.multi_select", "has", json!("red")),
            leaf("custom_fields.multi_select", "has", json!("green")),
        ),
        // A variable may be a list.
        both(leaf("vars.a", "eq", json!("a")), leaf("vars.a", "eq", json!("b"))),
        both(leaf("vars.a", "eq", json!("2026-01-01")), leaf("vars.a", "gt", json!("2025-01-01"))),
        both(
            leaf("created_at", "within_last", json!("P7D")),
            json!({"not": leaf("created_at", "within_last", json!("P1D"))}),
        ),
        json!({"any": [both(select("eq", json!("red")), select("eq", json!("green"))), select("eq", json!("red"))]}),
    ] {
        assert_eq!(why(possible.clone()), None, "{possible}");
    }
}

#[test]
fn reports_conditions_covered_by_earlier_ones() {
    let taken = |written: Value, others: &[&Value]| judged(&written, others) != Satisfiability::Possible;
    let (red, green) = (select("eq", json!("red")), select("eq", json!("green")));
    assert!(taken(red.clone(), &[&red]) && !taken(red.clone(), &[&green]));
    assert!(taken(json!({"field": "custom_fields.select", "op": "exists"}), &[&red, &green]));
    assert!(taken(number("gte", json!(10)), &[&number("gt", json!(5))]));
    assert!(!taken(number("gt", json!(5)), &[&number("gte", json!(10))]));
    assert!(taken(both(number("gt", json!(20)), red.clone()), &[&green, &number("gte", json!(18))]));
    let all = json!({"all": [red.clone(), number("gt", json!(5))]});
    assert!(taken(both(number("gt", json!(7)), red.clone()), &[&all]) && !taken(red, &[&all]));
}

#[test]
fn limits_the_effort_and_assumes_possible_afterwards() {
    let any = |place: usize| json!({"any": [number("eq", json!(place)), number("eq", json!(place + 1_000))]});
    let hard = json!({"all": (0..20).map(any).collect::<Vec<_>>()});
    // Each pair excludes the others, so the first three suffice.
    assert_ne!(judged(&hard, &[]), Satisfiability::Possible);
    let vocabulary = vocabulary();
    let judging = Judging { vocabulary: &vocabulary, is_single: &|_| false, only_event: false };
    let mut effort = SearchBudget::default();
    let apart = |place: usize| json!({"any": [leaf(&format!("vars.a{place}"), "eq", json!(1)), leaf(&format!("vars.b{place}"), "eq", json!(1))]});
    let mut ways: Vec<Value> = (0..22).map(apart).collect();
    ways.extend([number("gt", json!(1)), number("lt", json!(0))]);
    let never = json!({"all": ways});
    assert_ne!(
        judging.judge(&parse(&never), &[], &mut effort),
        Satisfiability::Possible,
        "conditions without alternatives are checked first"
    );
    for _ in 0..10_000 {
        judging.judge(&parse(&number("gt", json!(1))), &[&parse(&number("gt", json!(2)))], &mut effort);
    }
    let late = parse(&both(number("gt", json!(1)), number("lt", json!(0))));
    let others: Vec<Condition> = (0..100).map(|_| parse(&hard)).collect();
    let others: Vec<&Condition> = others.iter().collect();
    assert_ne!(judging.judge(&late, &others, &mut SearchBudget::default()), Satisfiability::Possible);
    // Each of these costs more than 100 of the 200 000 comparisons.
    let is_spent = (0..2_000).any(|_| judging.judge(&late, &others, &mut effort) == Satisfiability::Possible);
    assert!(is_spent, "the effort is limited");
    assert_eq!(judging.judge(&late, &[], &mut effort), Satisfiability::Possible, "no effort is left");
}

/// Generates conditions of a few comparisons on the fields that Ada has.
fn conditions() -> impl Strategy<Value = Value> {
    let of = |field: &'static str, ops: &'static [&'static str], values: Vec<Value>| {
        (proptest::sample::select(ops), proptest::sample::select(values)).prop_map(move |(op, value)| match op {
            "in" | "not_in" => leaf(field, op, json!([value])),
            "exists" | "not_exists" => json!({"field": field, "op": op}),
            op => leaf(field, op, value),
        })
    };
    const ORDERED: &[&str] = &["eq", "ne", "gt", "gte", "lt", "lte", "in", "not_in", "exists", "not_exists"];
    const TEXTS: &[&str] = &["eq", "ne", "contains", "starts_with", "in", "not_in", "exists", "not_exists"];
    const LISTS: &[&str] = &["has", "has_not", "in", "not_in", "exists", "not_exists"];
    let leaf = prop_oneof![
        of("custom_fields.number", ORDERED, vec![json!(17), json!(18), json!(18.5), json!(19)]),
        of("custom_fields.date", ORDERED, vec![json!("2025-12-29"), json!("2025-12-30"), json!("2025-12-31")]),
        of("first_name", TEXTS, vec![json!("Ada"), json!("ad"), json!("a"), json!("Bob")]),
        of(
            "custom_fields.select",
            &["eq", "ne", "in", "not_in", "exists", "not_exists"],
            vec![json!("Red"), json!("Green")]
        ),
        of("tags", LISTS, vec![json!("VIP"), json!("Late")]),
        of("vars.x", TEXTS, vec![json!("Ada"), json!("a")]),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 1..4).prop_map(|all| json!({"all": all})),
            proptest::collection::vec(inner.clone(), 1..4).prop_map(|any| json!({"any": any})),
            inner.prop_map(|inner| json!({"not": inner})),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn conditions_that_hold_for_a_contact_are_possible(written in conditions(), other in conditions(), x in proptest::option::of(prop_oneof![
        Just(json!("Ada")), Just(json!(["a", "Bob"])), Just(json!(7))])) {
        let vars = x.into_iter().map(|value| ("x".to_owned(), value)).collect::<Map<_, _>>();
        let holds = |written: &Value, contact: &Contact| {
            let bot_fields = Map::new();
            parse(written).holds(&Facts {
                contact, conversations: &[], bot_fields: &bot_fields, vars: Some(&vars), event: None, now: now(),
 zone: chrono_tz::Tz::UTC,
            })
        };
        for contact in [ada(), nobody()] {
            if holds(&written, &contact) {
                prop_assert_eq!(judged(&written, &[]), Satisfiability::Possible, "{} holds", &written);
                if !holds(&other, &contact) {
                    prop_assert_eq!(judged(&written, &[&other]), Satisfiability::Possible, "{} without {}", &written, &other);
                }
            }
        }
    }
}

#[test]
fn every_operator_alone_may_hold() {
    for op in Operator::WORDS {
        let value = match *op {
            "in" | "not_in" => json!([1]),
            "between" => json!([1, 2]),
            "within_last" => json!("P1D"),
            "contains" | "starts_with" => json!("a"),
            "exists" | "not_exists" => Value::Null,
            _ => json!(1),
        };
        let written = json!({"field": "vars.a", "op": op, "value": value});
        assert_eq!(why(written.clone()), None, "{written}");
    }
}
