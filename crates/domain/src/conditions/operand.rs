//! Values in the form for comparison.

use std::cmp::Ordering;

use serde_json::Number;
use uuid::Uuid;

use crate::fields::number_key;
use crate::text::fold;
use crate::time::Timestamp;

/// A value in the form for comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operand {
    /// A folded text.
    Text(String),
    /// A number.
    Number(Numeral),
    /// A truth value.
    Boolean(bool),
    /// A day such as `2026-01-31`. Such texts sort like the days.
    Date(String),
    /// An instant.
    Instant(Timestamp),
    /// The 128 bits of an ID.
    Id(Uuid),
}

impl Operand {
    pub(super) fn text(text: &str) -> Self {
        Self::Text(fold(text))
    }

    /// The number, if it is a whole number within the range of `i64`.
    pub fn whole(&self) -> Option<i64> {
        if let Self::Number(number) = self { number.whole() } else { None }
    }

    /// The text that is stored as the match key of a custom field's value, untruncated. Within one type, such texts
    /// sort byte by byte like the values.
    pub fn key(&self) -> String {
        match self {
            Self::Text(text) | Self::Date(text) => text.clone(),
            Self::Number(number) => number.key().to_owned(),
            Self::Boolean(it) => it.to_string(),
            Self::Instant(at) => fold(&at.to_string()),
            Self::Id(id) => id.to_string(),
        }
    }

    /// The value for messages.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Text(text) | Self::Date(text) => text.clone(),
            Self::Number(number) => number.number.to_string(),
            Self::Boolean(it) => it.to_string(),
            Self::Instant(at) => at.to_string(),
            Self::Id(id) => id.to_string(),
        }
    }

    /// The order of two values of one type; `None` for different types.
    pub(super) fn order(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Text(a), Self::Text(b)) | (Self::Date(a), Self::Date(b)) => Some(a.cmp(b)),
            (Self::Number(a), Self::Number(b)) => Some(a.key().cmp(b.key())),
            (Self::Boolean(a), Self::Boolean(b)) => Some(a.cmp(b)),
            (Self::Instant(a), Self::Instant(b)) => Some(a.cmp(b)),
            (Self::Id(a), Self::Id(b)) => Some(a.cmp(b)),
            _ => None,
        }
    }
}

/// A number. Numbers are equal by value, regardless of notation.
#[derive(Debug, Clone)]
pub struct Numeral {
    number: Number,
    key: String,
}

impl From<&Number> for Numeral {
    fn from(number: &Number) -> Self {
        Self { number: number.clone(), key: number_key(number) }
    }
}

impl From<i64> for Numeral {
    fn from(whole: i64) -> Self {
        Self::from(&Number::from(whole))
    }
}

impl Numeral {
    /// The number, if it is a whole number within the range of `i64`.
    pub fn whole(&self) -> Option<i64> {
        let (least, greatest) = self.neighbours();
        (least == greatest).then_some(least).and_then(|whole| i64::try_from(whole).ok())
    }

    /// The nearest whole numbers below and above; both are the number itself if it is whole.
    fn neighbours(&self) -> (i128, i128) {
        let exact = self.number.as_i64().map(i128::from).or_else(|| self.number.as_u64().map(i128::from));
        let double = self.number.as_f64().unwrap_or_default();
        exact.map_or((double.floor() as i128, double.ceil() as i128), |whole| (whole, whole))
    }

    /// The nearest floating-point number.
    pub(super) fn double(&self) -> f64 {
        self.number.as_f64().unwrap_or_default()
    }

    /// The match key: a text that is equal for equal numbers and sorts like them, byte by byte.
    pub fn key(&self) -> &str {
        &self.key
    }
}

impl PartialEq for Numeral {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Numeral {}

/// A range of an ordered type. A missing end is open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Range {
    /// The lower end, and whether it is included.
    pub from: Option<(Operand, bool)>,
    /// The upper end, and whether it is included.
    pub to: Option<(Operand, bool)>,
}

impl Range {
    /// The first and last whole number of a range of numbers; `None` if there is none.
    pub fn wholes(&self) -> Option<(i64, i64)> {
        let first = match &self.from {
            Some((Operand::Number(from), included)) => match from.neighbours() {
                (below, above) if below == above && !included => above.saturating_add(1),
                (_, above) => above,
            },
            _ => i128::from(i64::MIN),
        };
        let last = match &self.to {
            Some((Operand::Number(to), included)) => match to.neighbours() {
                (below, above) if below == above && !included => below.saturating_sub(1),
                (below, _) => below,
            },
            _ => i128::from(i64::MAX),
        };
        let (first, last) = (first.max(i64::MIN.into()), last.min(i64::MAX.into()));
        let fits = |whole| i64::try_from(whole).ok();
        if first <= last { fits(first).zip(fits(last)) } else { None }
    }

    pub(super) fn holds(&self, value: &Operand) -> bool {
        let above = |(end, included): &(Operand, bool)| {
            value.order(end).is_some_and(|order| order.is_gt() || (*included && order.is_eq()))
        };
        let below = |(end, included): &(Operand, bool)| {
            value.order(end).is_some_and(|order| order.is_lt() || (*included && order.is_eq()))
        };
        self.from.as_ref().is_none_or(above) && self.to.as_ref().is_none_or(below)
    }
}
