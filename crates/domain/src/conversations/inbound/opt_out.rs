//! The words by which a contact leaves, and comes back.

use crate::conversations::{Content, MessageType};

/// The word that takes a contact back.
const RETURN: &str = "START";

/// The words by which contacts say that they want no more messages on a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptOutWords(Vec<String>);

/// What a message means for whether its sender takes messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// Nothing.
    Talk,
    /// No more messages.
    Leave,
    /// Messages again.
    Return,
}

impl Default for OptOutWords {
    fn default() -> Self {
        Self::new(["STOP", "UNSUBSCRIBE", "CANCEL", "END", "QUIT"])
    }
}

impl OptOutWords {
    /// These words, in any case.
    pub fn new<'w>(words: impl IntoIterator<Item = &'w str>) -> Self {
        Self(words.into_iter().map(normal).filter(|word| !word.is_empty()).collect())
    }

    /// The first of them.
    pub(crate) fn first(&self) -> Option<&str> {
        self.0.first().map(String::as_str)
    }

    /// What a message means: a word stands alone in it, or means nothing. Coming back is for those
    /// who left; from others the word is a word.
    pub(super) fn wish(&self, content: &Content, opted_in: bool) -> Wish {
        let text = content.text.as_deref().filter(|_| content.kind == MessageType::Text).map(normal);
        match text {
            Some(text) if self.0.contains(&text) => Wish::Leave,
            Some(text) if text == RETURN && !opted_in => Wish::Return,
            _ => Wish::Talk,
        }
    }
}

fn normal(text: &str) -> String {
    text.trim().to_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stands_alone_in_any_case() {
        let words = OptOutWords::default();
        let wish = |text: &str, opted_in| words.wish(&Content::text(text), opted_in);
        for text in ["STOP", "stop", " Stop\n", "unsubscribe", "Cancel", "end", "QUIT"] {
            assert_eq!((wish(text, true), wish(text, false)), (Wish::Leave, Wish::Leave), "{text}");
        }
        for text in ["stop it", "please stop", "STOP.", "", "weekend"] {
            assert_eq!(wish(text, true), Wish::Talk, "{text}");
        }
        assert_eq!((wish(" start ", false), wish("start", true)), (Wish::Return, Wish::Talk));
        assert_eq!(words.wish(&Content::note("STOP"), true), Wish::Talk);
        assert_eq!(OptOutWords::new(["arrêt", " "]).wish(&Content::text("ARRÊT"), true), Wish::Leave);
    }
}
