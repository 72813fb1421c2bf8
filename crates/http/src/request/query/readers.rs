//! Readers of values that are text only in a query. The readers of texts work as well.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use tidings_domain::read::schema::{Annotate, Describe, described};
use tidings_domain::read::{Read, Violation, boolean, integer, map, string, text, texts, timestamp};
use tidings_domain::text::search_fold;
use tidings_domain::time::Timestamp;

use super::{DEFAULT_LIMIT, MAX_LIMIT};

pub(crate) fn any_text() -> impl Read<String> + Describe {
    string(|text| Ok::<_, Violation>(text.to_owned()))
}

pub(crate) fn flag() -> impl Read<bool> + Describe {
    described(string(texts::boolean), || boolean().describe())
}

/// Reads a decimal integer within `range`; otherwise `wrong_type` or `out_of_range`.
pub(crate) fn whole<T: TryFrom<i64>>(range: RangeInclusive<i64>) -> impl Read<T> + Describe {
    let read = {
        let range = range.clone();
        string(move |text| {
            let number = texts::integer(range.clone())(text)?;
            T::try_from(number).map_err(|_| texts::out_of_range(&range))
        })
    };
    described(read, move || integer(range.clone()).describe())
}

/// Reads the words of a search, folded like the searched texts.
pub(crate) fn words() -> impl Read<Vec<String>> + Describe {
    map(text(1..=200), |q: String| {
        let mut words: Vec<String> = search_fold(&q).split(' ').map(str::to_owned).collect();
        words.sort_unstable();
        words.dedup();
        words
    })
}

/// Reads `limit`: 1 to 100, by default 25.
pub(crate) fn limit() -> impl Read<u32> + Describe {
    whole(1..=i64::from(MAX_LIMIT)).default(DEFAULT_LIMIT)
}

/// Reads an RFC 3339 time. The `+` of an offset arrives as a space if it is not percent-encoded; this is accepted.
pub(crate) fn time() -> impl Read<Timestamp> + Describe {
    described(string(|text| texts::timestamp(&plus_in_offset(text))), || timestamp().describe())
}

/// Replaces a space at the start of the offset with `+`.
pub(crate) fn plus_in_offset(text: &str) -> Cow<'_, str> {
    match text.split_at_checked(text.len().saturating_sub("+00:00".len())) {
        Some((clock, offset)) if offset.starts_with(' ') => {
            Cow::Owned(format!("{clock}{}", offset.replacen(' ', "+", 1)))
        }
        _ => Cow::Borrowed(text),
    }
}
