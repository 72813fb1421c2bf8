//! The origin of a contact's message: a start link or an advertisement.

use serde::{Deserialize, Serialize};

use crate::body;
use crate::read::text;
use crate::text::characters::is_blank;

/// Maximum number of characters of a source.
const MAX_SOURCE: usize = 50;
/// Maximum number of characters of a reference.
pub const MAX_REFERENCE: usize = 255;
/// Maximum number of characters of a URL.
const MAX_URL: usize = 2_048;
/// Maximum number of characters of a headline.
const MAX_HEADLINE: usize = 300;

body! {
    /// The link or advertisement through which a contact wrote.
    #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Referral {
        /// Type of the origin, such as `start_link`, `ad` or `post`.
        required source: String = text(1..=MAX_SOURCE);
        /// The reference, such as the parameter of a start link or the ID of an advertisement. Triggers compare it.
        #[serde(rename = "ref")]
        nullable reference as "ref": String = text(1..=MAX_REFERENCE);
        /// URL of the advertisement or post.
        nullable url: String = text(1..=MAX_URL);
        /// ID of the advertisement.
        nullable ad_id: String = text(1..=MAX_REFERENCE);
        /// Headline of the advertisement or post.
        nullable headline: String = text(1..=MAX_HEADLINE);
    }
}

impl Referral {
    /// Creates the referral by a source with a reference.
    pub fn of(source: &str, reference: &str) -> Self {
        Self { source: source.to_owned(), reference: Some(reference.to_owned()), ..Self::default() }.bounded()
    }

    /// Returns the referral within the limits of its texts, without empty texts and without characters that control the
    /// output. For referrals that a provider reports.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        let bound = |text: &str, most: usize| {
            let text: String = text.chars().filter(|c| !c.is_control()).take(most).collect();
            Some(text).filter(|text| !is_blank(text))
        };
        self.source = bound(&self.source, MAX_SOURCE).unwrap_or_else(|| "unknown".to_owned());
        for (text, most) in [
            (&mut self.reference, MAX_REFERENCE),
            (&mut self.url, MAX_URL),
            (&mut self.ad_id, MAX_REFERENCE),
            (&mut self.headline, MAX_HEADLINE),
        ] {
            *text = text.as_deref().and_then(|text| bound(text, most));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_the_texts_of_a_provider() {
        let written = Referral {
            source: "ad\0".to_owned(),
            reference: Some("x".repeat(300)),
            url: Some(" ".to_owned()),
            headline: Some("Two\nlines".to_owned()),
            ad_id: None,
        };
        let expected = Referral {
            source: "ad".to_owned(),
            reference: Some("x".repeat(255)),
            headline: Some("Twolines".to_owned()),
            ..Referral::default()
        };
        assert_eq!(written.bounded(), expected);
        assert_eq!(Referral::default().bounded().source, "unknown");
    }

    #[test]
    fn its_reference_is_called_ref() {
        let shown = serde_json::json!(
            {"source": "start_link", "ref": "spring", "url": null, "ad_id": null, "headline": null}
        );
        let referral = Referral::of("start_link", "spring");
        assert_eq!(serde_json::to_value(&referral).unwrap(), shown);
        assert_eq!(serde_json::from_value::<Referral>(shown).unwrap(), referral);
    }
}
