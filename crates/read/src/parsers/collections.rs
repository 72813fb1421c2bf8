//! Readers of arrays, and of objects with keys of the client.

use std::ops::RangeInclusive;

use super::too_many;
use crate::{Input, MOST_VIOLATIONS, Read, Report, Violation, wrong_type};

/// See [`list`].
#[derive(Debug, Clone)]
pub struct ListReader<R> {
    pub(crate) bounds: RangeInclusive<usize>,
    pub(crate) item: R,
}

/// An array with this number of items, each read by `item`; otherwise `too_few`, `too_many` or all violations of all
/// items.
pub fn list<R>(bounds: RangeInclusive<usize>, item: R) -> ListReader<R> {
    ListReader { bounds, item }
}

impl<T, R: Read<T>> Read<Vec<T>> for ListReader<R> {
    fn read(&self, input: Input<'_>) -> Result<Vec<T>, Vec<Violation>> {
        let (least, most) = (*self.bounds.start(), *self.bounds.end());
        match input {
            Input::Array(items) if items.len() > most => Err(too_many(most).into()),
            Input::Array(items) if items.len() < least => {
                Err(Violation::at_root("too_few", format!("must have {least} or more entries")).into())
            }
            Input::Array(items) => {
                gather(items.iter().enumerate().map(|(index, item)| (index.to_string(), self.item.read(item))))
            }
            other => Err(wrong_type("an array", other).into()),
        }
    }
}

/// See [`entries`].
#[derive(Debug, Clone, Copy)]
pub struct EntriesReader<R> {
    pub(crate) most: usize,
    pub(crate) value: R,
}

/// An object with at most `most` keys, chosen by the client. Each value, even `null`, is read by `value`; otherwise
/// `too_many` or all violations of all values.
pub fn entries<R>(most: usize, value: R) -> EntriesReader<R> {
    EntriesReader { most, value }
}

impl<T, R: Read<T>> Read<Vec<(String, T)>> for EntriesReader<R> {
    fn read(&self, input: Input<'_>) -> Result<Vec<(String, T)>, Vec<Violation>> {
        named_entries(self.most, |_, input| self.value.read(input))(input)
    }
}

/// Same as [`entries`], if the key determines how its value is read.
pub fn named_entries<T>(
    most: usize,
    value: impl Fn(&str, Input<'_>) -> Result<T, Vec<Violation>>,
) -> impl Fn(Input<'_>) -> Result<Vec<(String, T)>, Vec<Violation>> {
    move |input| match input {
        Input::Object(members) if members.len() > most => Err(too_many(most).into()),
        Input::Object(members) => gather(members.iter().map(|(name, input)| {
            let read = value(name, input).map(|value| (name.to_owned(), value));
            (name.to_owned(), read)
        })),
        other => Err(wrong_type("an object", other).into()),
    }
}

/// Returns all values, or all violations with their pointers.
fn gather<T>(read: impl Iterator<Item = (String, Result<T, Vec<Violation>>)>) -> Result<Vec<T>, Vec<Violation>> {
    let (mut values, mut report) = (Vec::new(), Report::default());
    for (key, result) in read {
        match result {
            Ok(value) => values.push(value),
            Err(found) => {
                // Clients choose the keys: none is copied for a violation that is not reported anymore.
                let room = MOST_VIOLATIONS.saturating_sub(report.len());
                report.extend(found.into_iter().take(room).map(|violation| violation.within(&key)));
            }
        }
    }
    report.judge(Some(values))
}
