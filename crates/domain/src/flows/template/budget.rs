//! Limits on the data that a rendering processes. Fuel limits the number of instructions; because one instruction may
//! process a value of any size, elements and bytes are limited too. Together they bound the time.

use minijinja::value::ValueKind;
use minijinja::{Error, ErrorKind, State, Value};

/// Maximum number of elements of a value, including nested elements.
pub(super) const MAX_ELEMENTS: usize = 10_000;
/// Maximum size in bytes of the texts of a value, and of a rendered text.
pub(super) const MAX_BYTES: usize = 64 * 1024;
/// Maximum nesting depth of a value, the same as for a request body.
const MAX_DEPTH: usize = 128;
/// Work of one element, in bytes.
const ELEMENT: u64 = 64;
/// Maximum work of one rendering, in bytes.
const WORK: u64 = 2 << 20;

/// The remaining work of a rendering.
struct Budget(u64);

/// The size of a value.
#[derive(Default, Clone, Copy)]
pub(super) struct Weight {
    pub(super) elements: usize,
    pub(super) bytes: usize,
}

impl Weight {
    /// Returns the work of one pass over the value, in bytes.
    pub(super) fn work(self) -> u64 {
        (self.elements as u64).saturating_mul(ELEMENT).saturating_add(self.bytes as u64)
    }

    /// Measures a value. Stops with an error as soon as the value is too large.
    pub(super) fn of(value: &Value) -> Result<Self, Error> {
        let mut weight = Self::default();
        weight.add(value, 0)?;
        Ok(weight)
    }

    fn add(&mut self, value: &Value, depth: usize) -> Result<(), Error> {
        self.elements += 1;
        self.bytes += value.as_bytes().map_or(0, <[u8]>::len);
        if self.elements > MAX_ELEMENTS {
            return Err(too_much(format!("a value has more than {MAX_ELEMENTS} elements")));
        }
        if self.bytes > MAX_BYTES {
            return Err(too_much(format!("a value has more than {MAX_BYTES} bytes")));
        }
        if depth > MAX_DEPTH {
            return Err(too_much(format!("a value is nested more than {MAX_DEPTH} levels deep")));
        }
        let kind = value.kind();
        if !matches!(kind, ValueKind::Seq | ValueKind::Iterable | ValueKind::Map) {
            return Ok(());
        }
        for element in value.try_iter()?.checked() {
            let element = element?;
            if kind == ValueKind::Map {
                self.add(&value.get_item(&element)?, depth + 1)?;
            }
            self.add(&element, depth + 1)?;
        }
        Ok(())
    }
}

/// Subtracts work from the remaining work of the rendering.
///
/// # Errors
/// Not enough work remains.
pub(super) fn spend(state: &mut State<'_, '_>, work: u64) -> Result<(), Error> {
    let budget = state.get_or_insert_extension_with(|| Budget(WORK));
    budget.0 = budget
        .0
        .checked_sub(work)
        .ok_or_else(|| too_much("the text needs too much work to render; use shorter lists and loops".to_owned()))?;
    Ok(())
}

/// Checks and charges a value that a template continues with. A lazy iterable becomes a list, so it is not computed
/// again by each pass over it.
///
/// # Errors
/// The value is too large, or not enough work remains.
pub(super) fn charged(state: &mut State<'_, '_>, value: Value) -> Result<Value, Error> {
    let value = if value.kind() == ValueKind::Iterable { gathered(&value)? } else { value };
    let weight = Weight::of(&value)?;
    spend(state, weight.work())?;
    Ok(value)
}

fn gathered(value: &Value) -> Result<Value, Error> {
    let mut elements = Vec::new();
    for element in value.try_iter()?.checked() {
        if elements.len() == MAX_ELEMENTS {
            return Err(too_much(format!("a value has more than {MAX_ELEMENTS} elements")));
        }
        elements.push(element?);
    }
    Ok(Value::from(elements))
}

pub(super) fn too_much(message: String) -> Error {
    Error::new(ErrorKind::InvalidOperation, message)
}

/// Returns a text of at most [`MAX_BYTES`] bytes.
///
/// # Errors
/// The text is longer.
pub(super) fn bounded(text: String) -> Result<String, Error> {
    if text.len() <= MAX_BYTES { Ok(text) } else { Err(too_much(format!("a value has more than {MAX_BYTES} bytes"))) }
}
