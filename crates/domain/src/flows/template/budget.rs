//! How much a text may handle while it is rendered. Fuel counts instructions; what one instruction
//! handles has any size, so elements and bytes are counted, too. Both together bound the time.

use minijinja::value::ValueKind;
use minijinja::{Error, ErrorKind, State, Value};

/// The most elements of a value, those inside its elements included.
pub(super) const MAX_ELEMENTS: usize = 10_000;
/// The most bytes of a value's texts, and of a text that is rendered.
pub(super) const MAX_BYTES: usize = 64 * 1024;
/// How deep values may be nested: as deep as a request's body.
const MAX_DEPTH: usize = 128;
/// An element is as much work as so many bytes.
const ELEMENT: u64 = 64;
/// The most work of one rendering, in bytes.
const WORK: u64 = 2 << 20;

/// What is left of the work that a rendering may take.
struct Budget(u64);

/// How large a value is.
#[derive(Default, Clone, Copy)]
pub(super) struct Weight {
    pub(super) elements: usize,
    pub(super) bytes: usize,
}

impl Weight {
    /// How much work it is to walk over the value once.
    pub(super) fn work(self) -> u64 {
        (self.elements as u64).saturating_mul(ELEMENT).saturating_add(self.bytes as u64)
    }

    /// The weight of a value, or why it is too large; a value that is too large is not walked to its end.
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

/// Takes work from what the rendering has left.
///
/// # Errors
/// There is not so much left.
pub(super) fn spend(state: &mut State<'_, '_>, work: u64) -> Result<(), Error> {
    let budget = state.get_or_insert_extension_with(|| Budget(WORK));
    budget.0 = budget
        .0
        .checked_sub(work)
        .ok_or_else(|| too_much("the text needs too much work to render; use shorter lists and loops".to_owned()))?;
    Ok(())
}

/// A value that a text may go on with: it is within bounds, it is paid for, and it is there as a whole
/// instead of being made anew each time that somebody walks over it.
///
/// # Errors
/// The value is too large, or the work is spent.
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

/// An error that says what is too large.
pub(super) fn too_much(message: String) -> Error {
    Error::new(ErrorKind::InvalidOperation, message)
}

/// A text, if it is not longer than any message needs.
///
/// # Errors
/// It is longer.
pub(super) fn bounded(text: String) -> Result<String, Error> {
    if text.len() <= MAX_BYTES { Ok(text) } else { Err(too_much(format!("a value has more than {MAX_BYTES} bytes"))) }
}
