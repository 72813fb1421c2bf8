//! Options of select fields, found in any case.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization;

use crate::reasons::Reason;
use crate::text::trim;

/// The options of a select field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    exact: BTreeMap<String, usize>,
    /// By the folded text; `None` for several options.
    folded: BTreeMap<String, Option<usize>>,
    names: Vec<String>,
}

impl Options {
    /// The options with these names.
    pub fn new<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let (mut exact, mut folded) = (BTreeMap::new(), BTreeMap::new());
        for (place, name) in names.iter().enumerate() {
            exact.insert(name.clone(), place);
            folded.entry(fold(name)).and_modify(|it| *it = None).or_insert(Some(place));
        }
        Self { exact, folded, names }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The names, in their order.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The option with this name, in any case.
    ///
    /// # Errors
    /// No option or several ones have the name.
    pub fn find(&self, text: &str) -> Result<&str, Reason> {
        let place = match self.exact.get(text) {
            Some(place) => *place,
            None => self.folded.get(&fold(text)).ok_or(Reason::UnknownOption)?.ok_or(Reason::SeveralOptions)?,
        };
        self.names.get(place).map(String::as_str).ok_or(Reason::UnknownOption)
    }
}

fn fold(text: &str) -> String {
    if text.is_ascii() {
        trim(text).to_ascii_lowercase()
    } else {
        trim(text).nfc().flat_map(char::to_lowercase).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_options_in_any_case() {
        let options = Options::new(["Gold", "Größe L", "a", "A"]);
        assert_eq!(options.find(" gold"), Ok("Gold"));
        assert_eq!(options.find("GRÖSSE L"), Err(Reason::UnknownOption));
        assert_eq!(options.find("grO\u{308}ße l"), Ok("Größe L"));
        assert_eq!(options.find("A"), Ok("A"));
        assert_eq!(options.find("a "), Err(Reason::SeveralOptions));
        assert_eq!(options.find("silver"), Err(Reason::UnknownOption));
    }
}
