//! The filters, tests and functions that templates may use. Everything else is rejected, so a new version of the
//! engine cannot add features unnoticed.

use std::sync::LazyLock;

use minijinja::value::{Kwargs, Rest, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, State, UndefinedBehavior, Value, filters, tests};

use super::budget::{MAX_BYTES, Weight, bounded, charged, spend, too_much};
use super::{dates, numbers, texts};

/// Maximum number of instructions of a rendering.
const FUEL: u64 = 20_000;
const MAX_RANGE: usize = 1_000;
/// Maximum number of characters that `trim` removes: each is compared at each position.
const MAX_TRIMMED: usize = 64;

/// The growth of a filter's work with the size of its value.
#[derive(Clone, Copy)]
enum Growth {
    /// Proportional to its size.
    Linear,
    /// Proportional to its size, with a high cost per character.
    Slow,
    /// The cost of sorting.
    Sorting,
}

pub(super) struct Filter {
    pub(super) name: &'static str,
    growth: Growth,
    function: fn() -> Value,
}

pub(super) struct Test {
    pub(super) name: &'static str,
    function: fn() -> Value,
}

pub(super) static FILTERS: &[Filter] = &[
    Filter { name: "abs", growth: Growth::Linear, function: || Value::from_function(filters::abs) },
    Filter { name: "attr", growth: Growth::Linear, function: || Value::from_function(filters::attr) },
    Filter { name: "bool", growth: Growth::Linear, function: || Value::from_function(filters::bool) },
    Filter { name: "capitalize", growth: Growth::Linear, function: || Value::from_function(filters::capitalize) },
    Filter { name: "count", growth: Growth::Linear, function: || Value::from_function(filters::length) },
    Filter { name: "d", growth: Growth::Linear, function: || Value::from_function(filters::default) },
    Filter { name: "date", growth: Growth::Slow, function: || Value::from_function(dates::date) },
    Filter { name: "default", growth: Growth::Linear, function: || Value::from_function(filters::default) },
    Filter { name: "dictsort", growth: Growth::Sorting, function: || Value::from_function(filters::dictsort) },
    Filter { name: "first", growth: Growth::Linear, function: || Value::from_function(filters::first) },
    Filter { name: "float", growth: Growth::Linear, function: || Value::from_function(filters::float) },
    Filter { name: "int", growth: Growth::Linear, function: || Value::from_function(filters::int) },
    Filter { name: "items", growth: Growth::Linear, function: || Value::from_function(filters::items) },
    Filter { name: "join", growth: Growth::Linear, function: || Value::from_function(join) },
    Filter { name: "last", growth: Growth::Linear, function: || Value::from_function(filters::last) },
    Filter { name: "length", growth: Growth::Linear, function: || Value::from_function(filters::length) },
    Filter { name: "lines", growth: Growth::Linear, function: || Value::from_function(filters::lines) },
    Filter { name: "list", growth: Growth::Linear, function: || Value::from_function(filters::list) },
    Filter { name: "lower", growth: Growth::Linear, function: || Value::from_function(filters::lower) },
    Filter { name: "map", growth: Growth::Linear, function: || Value::from_function(filters::map) },
    Filter { name: "max", growth: Growth::Linear, function: || Value::from_function(filters::max) },
    Filter { name: "min", growth: Growth::Linear, function: || Value::from_function(filters::min) },
    Filter { name: "number", growth: Growth::Slow, function: || Value::from_function(numbers::number) },
    Filter { name: "reject", growth: Growth::Linear, function: || Value::from_function(filters::reject) },
    Filter { name: "rejectattr", growth: Growth::Linear, function: || Value::from_function(filters::rejectattr) },
    Filter { name: "replace", growth: Growth::Slow, function: || Value::from_function(replace) },
    Filter { name: "reverse", growth: Growth::Linear, function: || Value::from_function(filters::reverse) },
    Filter { name: "round", growth: Growth::Linear, function: || Value::from_function(filters::round) },
    Filter { name: "select", growth: Growth::Linear, function: || Value::from_function(filters::select) },
    Filter { name: "selectattr", growth: Growth::Linear, function: || Value::from_function(filters::selectattr) },
    Filter { name: "sort", growth: Growth::Sorting, function: || Value::from_function(filters::sort) },
    Filter { name: "split", growth: Growth::Linear, function: || Value::from_function(filters::split) },
    Filter { name: "string", growth: Growth::Linear, function: || Value::from_function(filters::string) },
    Filter { name: "sum", growth: Growth::Linear, function: || Value::from_function(sum) },
    Filter { name: "title", growth: Growth::Slow, function: || Value::from_function(filters::title) },
    Filter { name: "trim", growth: Growth::Slow, function: || Value::from_function(trim) },
    Filter { name: "truncate", growth: Growth::Linear, function: || Value::from_function(texts::truncate) },
    Filter { name: "unique", growth: Growth::Sorting, function: || Value::from_function(filters::unique) },
    Filter { name: "upper", growth: Growth::Linear, function: || Value::from_function(filters::upper) },
    Filter { name: "urlencode", growth: Growth::Slow, function: || Value::from_function(texts::urlencode) },
];

pub(super) static TESTS: &[Test] = &[
    Test { name: "!=", function: || Value::from_function(tests::is_ne) },
    Test { name: "<", function: || Value::from_function(tests::is_lt) },
    Test { name: "<=", function: || Value::from_function(tests::is_le) },
    Test { name: "==", function: || Value::from_function(tests::is_eq) },
    Test { name: ">", function: || Value::from_function(tests::is_gt) },
    Test { name: ">=", function: || Value::from_function(tests::is_ge) },
    Test { name: "boolean", function: || Value::from_function(tests::is_boolean) },
    Test { name: "defined", function: || Value::from_function(tests::is_defined) },
    Test { name: "divisibleby", function: || Value::from_function(tests::is_divisibleby) },
    Test { name: "endingwith", function: || Value::from_function(tests::is_endingwith) },
    Test { name: "eq", function: || Value::from_function(tests::is_eq) },
    Test { name: "equalto", function: || Value::from_function(tests::is_eq) },
    Test { name: "even", function: || Value::from_function(tests::is_even) },
    Test { name: "false", function: || Value::from_function(tests::is_false) },
    Test { name: "float", function: || Value::from_function(tests::is_float) },
    Test { name: "ge", function: || Value::from_function(tests::is_ge) },
    Test { name: "greaterthan", function: || Value::from_function(tests::is_gt) },
    Test { name: "gt", function: || Value::from_function(tests::is_gt) },
    Test { name: "in", function: || Value::from_function(tests::is_in) },
    Test { name: "int", function: || Value::from_function(tests::is_integer) },
    Test { name: "integer", function: || Value::from_function(tests::is_integer) },
    Test { name: "iterable", function: || Value::from_function(tests::is_iterable) },
    Test { name: "le", function: || Value::from_function(tests::is_le) },
    Test { name: "lessthan", function: || Value::from_function(tests::is_lt) },
    Test { name: "lower", function: || Value::from_function(tests::is_lower) },
    Test { name: "lt", function: || Value::from_function(tests::is_lt) },
    Test { name: "mapping", function: || Value::from_function(tests::is_mapping) },
    Test { name: "ne", function: || Value::from_function(tests::is_ne) },
    Test { name: "none", function: || Value::from_function(tests::is_none) },
    Test { name: "number", function: || Value::from_function(tests::is_number) },
    Test { name: "odd", function: || Value::from_function(tests::is_odd) },
    Test { name: "sequence", function: || Value::from_function(tests::is_sequence) },
    Test { name: "startingwith", function: || Value::from_function(tests::is_startingwith) },
    Test { name: "string", function: || Value::from_function(tests::is_string) },
    Test { name: "true", function: || Value::from_function(tests::is_true) },
    Test { name: "undefined", function: || Value::from_function(tests::is_undefined) },
    Test { name: "upper", function: || Value::from_function(tests::is_upper) },
];

pub(super) const FUNCTIONS: [&str; 1] = ["range"];

/// Filters of the engine that templates may not use: they pad to any width, create any number of elements, mark text
/// as safe although nothing is escaped, or reveal internals.
pub(super) const REFUSED_FILTERS: [&str; 12] =
    ["batch", "chain", "e", "escape", "format", "groupby", "indent", "pprint", "safe", "slice", "tojson", "zip"];
/// Tests of the engine that templates may not use.
pub(super) const REFUSED_TESTS: [&str; 5] = ["escaped", "filter", "safe", "sameas", "test"];
/// Functions of the engine that templates may not call.
pub(super) const REFUSED_FUNCTIONS: [&str; 3] = ["debug", "dict", "namespace"];

/// Internal filters for the rebuilt syntax tree; no template can name them.
pub(super) const CHARGED: &str = "$charged";
pub(super) const CHARGED_TEXT: &str = "$charged_text";
pub(super) const NUMBER: &str = "$number";

/// The engine with the allowed features only.
pub(super) static ENGINE: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut engine = Environment::empty();
    engine.set_debug(false);
    engine.set_fuel(Some(FUEL));
    engine.set_undefined_behavior(UndefinedBehavior::Chainable);
    engine.set_recursion_limit(64);
    for Filter { name, growth, function } in FILTERS {
        let (growth, function) = (*growth, function());
        engine.add_filter(*name, move |state: &mut State<'_, '_>, args: Rest<ValueOrKwargs>| {
            let args: Vec<Value> = args.into_values().into_iter().map(numbers::without_empty_fraction).collect();
            spend(state, work(growth, &args)?)?;
            let made = function.call(state, &args)?;
            charged(state, made)
        });
    }
    for Test { name, function } in TESTS {
        let function = function();
        engine.add_test(*name, move |state: &mut State<'_, '_>, args: Rest<ValueOrKwargs>| {
            let args = args.into_values();
            spend(state, work(Growth::Linear, &args)?)?;
            function.call(state, &args)
        });
    }
    engine.add_function("range", range);
    engine.add_filter(CHARGED, |state: &mut State<'_, '_>, value: Value| {
        charged(state, numbers::without_empty_fraction(value))
    });
    engine.add_filter(CHARGED_TEXT, |state: &mut State<'_, '_>, value: Value| match value.kind() {
        ValueKind::String => charged(state, value),
        _ => Ok(value),
    });
    engine.add_filter(NUMBER, |value: Value| match value.kind() {
        ValueKind::Number | ValueKind::Bool => Ok(value),
        kind => Err(too_much(format!("* only multiplies numbers, got a value of type {kind}"))),
    });
    // The engine's output is unlimited, so the formatter counts it.
    engine.set_formatter(|out, state, value| {
        let text = if value.is_undefined() { String::new() } else { to_text(value)? };
        let length = {
            let rendered = state.get_or_insert_extension_with(|| Rendered(0));
            rendered.0 += text.len();
            rendered.0
        };
        if length > MAX_BYTES {
            return Err(too_much(format!("the rendered text has more than {MAX_BYTES} bytes")));
        }
        out.write_str(&text).map_err(Error::from)
    });
    engine
});

/// Number of bytes rendered so far.
struct Rendered(usize);

fn to_text(value: &Value) -> Result<String, Error> {
    Weight::of(value)?;
    Ok(numbers::without_empty_fraction(value.clone()).to_string())
}

/// Returns the work of a call: the value once, and each other argument once per element of the value. For sorting,
/// multiplied by the comparisons per element.
fn work(growth: Growth, args: &[Value]) -> Result<u64, Error> {
    let Some((value, others)) = args.split_first() else { return Ok(0) };
    let value = Weight::of(value)?;
    let times = match growth {
        Growth::Linear => 1,
        Growth::Slow => 4,
        Growth::Sorting => u64::from(value.elements.max(1).ilog2()) + 1,
    };
    let mut work = value.work();
    for other in others {
        let other = Weight::of(other)?.work();
        work = work.saturating_add(other.saturating_mul(value.elements as u64));
    }
    Ok(work.saturating_mul(times))
}

/// `replace` with a size limit.
fn replace(text: &str, from: &str, to: &str) -> Result<String, Error> {
    let found = if from.is_empty() { text.chars().count() + 1 } else { text.matches(from).count() };
    if text.len().saturating_add(found.saturating_mul(to.len())) > MAX_BYTES.saturating_mul(2) {
        return Err(too_much(format!("a value has more than {MAX_BYTES} bytes")));
    }
    bounded(text.replace(from, to))
}

/// `join` with a size limit.
fn join(list: &Value, between: Option<&str>) -> Result<String, Error> {
    let mut joined = String::new();
    for (place, element) in list.try_iter()?.checked().enumerate() {
        if place > 0 {
            joined.push_str(between.unwrap_or(""));
        }
        joined.push_str(&element?.to_string());
        joined = bounded(joined)?;
    }
    Ok(joined)
}

/// `sum` of numbers only: texts and lists would be copied for each element.
fn sum(
    state: &State<'_, '_>,
    values: Value,
    attribute: Option<&str>,
    start: Option<Value>,
    kwargs: Kwargs,
) -> Result<Value, Error> {
    let first = if start.is_some() { start.clone() } else { kwargs.get::<Option<Value>>("start")? };
    if first.is_some_and(|first| !first.is_number()) {
        return Err(too_much("the start of sum must be a number".to_owned()));
    }
    filters::sum(state, values, attribute, start, kwargs)
}

/// `trim` with a limit on the characters to remove.
fn trim(text: &str, of: Option<&str>) -> Result<String, Error> {
    let Some(of) = of else { return Ok(text.trim().to_owned()) };
    if of.chars().count() > MAX_TRIMMED {
        return Err(too_much(format!("trim accepts at most {MAX_TRIMMED} characters to remove")));
    }
    Ok(text.trim_matches(|c| of.contains(c)).to_owned())
}

fn range(first: i64, end: Option<i64>, step: Option<i64>) -> Result<Vec<i64>, Error> {
    let (first, end) = end.map_or((0, first), |end| (first, end));
    let step = step.unwrap_or(1);
    let mut numbers = Vec::new();
    let mut next = Some(first);
    while let Some(number) = next.filter(|it| if step < 0 { *it > end } else { *it < end }) {
        if numbers.len() == MAX_RANGE || step == 0 {
            return Err(too_much(format!("range returns at most {MAX_RANGE} numbers, and its step must not be 0")));
        }
        numbers.push(number);
        next = number.checked_add(step);
    }
    Ok(numbers)
}
