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

macro_rules! filters {
    ($($name:literal $growth:ident $function:path),* $(,)?) => {
        pub(super) static FILTERS: &[Filter] = &[$(
            Filter { name: $name, growth: Growth::$growth, function: || Value::from_function($function) }
        ),*];
    };
}

macro_rules! tests {
    ($($name:literal $function:path),* $(,)?) => {
        pub(super) static TESTS: &[Test] =
            &[$(Test { name: $name, function: || Value::from_function($function) }),*];
    };
}

filters! {
    "abs" Linear filters::abs, "attr" Linear filters::attr, "bool" Linear filters::bool,
    "capitalize" Linear filters::capitalize, "count" Linear filters::length, "d" Linear filters::default,
    "date" Slow dates::date, "default" Linear filters::default, "dictsort" Sorting filters::dictsort,
    "first" Linear filters::first, "float" Linear filters::float, "int" Linear filters::int, "items" Linear filters::items,
    "join" Linear join, "last" Linear filters::last, "length" Linear filters::length,
    "lines" Linear filters::lines, "list" Linear filters::list, "lower" Linear filters::lower,
    "map" Linear filters::map, "max" Linear filters::max, "min" Linear filters::min,
    "number" Slow numbers::number, "reject" Linear filters::reject, "rejectattr" Linear filters::rejectattr,
    "replace" Slow replace, "reverse" Linear filters::reverse, "round" Linear filters::round,
    "select" Linear filters::select, "selectattr" Linear filters::selectattr, "sort" Sorting filters::sort,
    "split" Linear filters::split, "string" Linear filters::string, "sum" Linear sum, "title" Slow filters::title,
    "trim" Slow trim, "truncate" Linear texts::truncate, "unique" Sorting filters::unique,
    "upper" Linear filters::upper, "urlencode" Slow texts::urlencode,
}

tests! {
    "!=" tests::is_ne, "<" tests::is_lt, "<=" tests::is_le, "==" tests::is_eq, ">" tests::is_gt, ">=" tests::is_ge,
    "boolean" tests::is_boolean, "defined" tests::is_defined, "divisibleby" tests::is_divisibleby,
    "endingwith" tests::is_endingwith, "eq" tests::is_eq, "equalto" tests::is_eq, "even" tests::is_even,
    "false" tests::is_false, "float" tests::is_float, "ge" tests::is_ge, "greaterthan" tests::is_gt,
    "gt" tests::is_gt, "in" tests::is_in, "int" tests::is_integer, "integer" tests::is_integer,
    "iterable" tests::is_iterable, "le" tests::is_le, "lessthan" tests::is_lt, "lower" tests::is_lower,
    "lt" tests::is_lt, "mapping" tests::is_mapping, "ne" tests::is_ne, "none" tests::is_none,
    "number" tests::is_number, "odd" tests::is_odd, "sequence" tests::is_sequence,
    "startingwith" tests::is_startingwith, "string" tests::is_string, "true" tests::is_true,
    "undefined" tests::is_undefined, "upper" tests::is_upper,
}

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
