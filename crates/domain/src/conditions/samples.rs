//! Representative values: one for all values that no comparison distinguishes.

use std::cmp::Ordering;
use std::time::Duration;

use chrono::NaiveDate;
use serde_json::Number;

use super::model::Test;
use super::operand::{Numeral, Operand};
use crate::time::Timestamp;

/// The values between two named values, or beyond one.
enum Gap {
    /// A value that represents the gap.
    Value(Operand),
    /// There is no value in the gap.
    Empty,
}

/// The values that tests name, all of one type; `None` if their types differ.
pub(super) fn named<'t>(tests: impl IntoIterator<Item = &'t Test>) -> Option<Vec<&'t Operand>> {
    let mut found: Vec<&Operand> = Vec::new();
    for test in tests {
        match test {
            Test::OneOf(values) => found.extend(values),
            Test::Within(range) => found.extend([&range.from, &range.to].into_iter().flatten().map(|(end, _)| end)),
            Test::Present | Test::Contains(_) | Test::StartsWith(_) | Test::WithinLast(_) => {}
        }
    }
    let alike = found.windows(2).all(|pair| matches!(pair, [one, other] if one.order(other).is_some()));
    alike.then_some(found)
}

/// The representative values of an ordered type: the named ones, one between each two of them, and one on either side.
/// Tests that name only these values cannot distinguish any other value. `None` if a gap cannot be filled.
pub(super) fn ordered(named: &[&Operand]) -> Option<Vec<Operand>> {
    let mut ends: Vec<&Operand> = named.to_vec();
    ends.sort_by(|one, other| one.order(other).unwrap_or(Ordering::Equal));
    ends.dedup();
    let (first, last) = (ends.first()?, ends.last()?);
    let mut samples: Vec<Operand> = ends.iter().map(|end| (*end).clone()).collect();
    let gaps = ends.windows(2).map(|pair| if let [low, high] = pair { between(low, high) } else { None });
    for gap in gaps.chain([beyond(first, false), beyond(last, true)]) {
        match gap? {
            Gap::Value(value) => samples.push(value),
            Gap::Empty => {}
        }
    }
    Some(samples)
}

fn between(low: &Operand, high: &Operand) -> Option<Gap> {
    match (low, high) {
        (Operand::Number(from), Operand::Number(to)) => {
            let middle = number(from.double() / 2.0 + to.double() / 2.0)?;
            // For very close values there may be a whole number in between that the arithmetic does not find.
            let inside = low.order(&middle)?.is_lt() && middle.order(high)?.is_lt();
            inside.then_some(Gap::Value(middle))
        }
        (Operand::Date(_) | Operand::Instant(_), _) => match beyond(low, true)? {
            Gap::Value(next) if next.order(high)?.is_lt() => Some(Gap::Value(next)),
            Gap::Value(_) | Gap::Empty => Some(Gap::Empty),
        },
        (Operand::Boolean(_), _) => Some(Gap::Empty),
        (Operand::Number(_) | Operand::Text(_) | Operand::Id(_), _) => None,
    }
}

/// Returns a value above or below this one.
fn beyond(value: &Operand, above: bool) -> Option<Gap> {
    let found = match value {
        Operand::Number(from) => {
            let next = number(from.double() + if above { 1.0 } else { -1.0 })?;
            let order = next.order(value)?;
            return (if above { order.is_gt() } else { order.is_lt() }).then_some(Gap::Value(next));
        }
        Operand::Date(day) => {
            let day = NaiveDate::parse_from_str(day, "%Y-%m-%d").ok()?;
            let next = if above { day.succ_opt() } else { day.pred_opt() };
            next.map(|day| Operand::Date(day.to_string()))
                .filter(|next| next.order(value).is_some_and(|it| it.is_gt() == above))
        }
        Operand::Instant(at) => {
            let step = Duration::from_millis(1);
            let next: Timestamp = if above { at.plus(step) } else { at.minus(step) };
            Some(Operand::Instant(next)).filter(|next| next != value)
        }
        Operand::Boolean(it) => (*it != above).then_some(Operand::Boolean(above)),
        Operand::Text(_) | Operand::Id(_) => return None,
    };
    Some(found.map_or(Gap::Empty, Gap::Value))
}

fn number(double: f64) -> Option<Operand> {
    Number::from_f64(double).map(|number| Operand::Number(Numeral::from(&number)))
}
