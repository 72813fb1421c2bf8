//! Suggestions for mistyped names.

/// Maximum length of a name that gets suggestions. The distance of two names takes time in proportion to the product of
/// their lengths.
const LONGEST_MISTYPED: usize = 64;

/// Shorter words occur in too many names.
const SHORTEST_WORD: usize = 3;

/// Finds similar names with limited work, because clients choose the names and their number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hints {
    left: usize,
}

impl Default for Hints {
    fn default() -> Self {
        Self { left: 1 << 20 }
    }
}

impl Hints {
    /// Like [`nearest`], for the known names that the remaining work allows.
    pub fn nearest<'a>(&mut self, name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
        // No suggestion for a long name, so no work.
        if name.len() > LONGEST_MISTYPED {
            return Vec::new();
        }
        nearest(
            name,
            known.into_iter().map_while(|candidate| {
                let left = self.left.checked_sub(name.len().saturating_mul(candidate.len()));
                self.left = left.unwrap_or(0);
                left.map(|_| candidate)
            }),
        )
    }
}

/// Returns the known names that are most similar to `name`, the best first, at most three. A name of several words is
/// similar to each of them: `first_name` to `name`.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    if name.len() > LONGEST_MISTYPED {
        return Vec::new();
    }
    let mut scored: Vec<(usize, &str)> = known
        .into_iter()
        .map(|candidate| {
            let is_word = name.len() >= SHORTEST_WORD && candidate.split(['_', '.']).any(|word| word == name);
            (if is_word { 1 } else { strsim::damerau_levenshtein(name, candidate) }, candidate)
        })
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len().min(name.len()).saturating_sub(1) / 3)
        .collect();
    scored.sort_unstable();
    scored.into_iter().take(3).map(|(_, candidate)| candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_only_near_names() {
        assert_eq!(nearest("emial", ["email", "phone", "external_id"]), ["email"]);
        assert!(nearest("zzz", ["email", "phone"]).is_empty());
        assert!(nearest(&"e".repeat(65), ["e".repeat(65).as_str()]).is_empty());
    }

    #[test]
    fn suggests_names_that_contain_the_word() {
        assert_eq!(nearest("name", ["first_name", "last_name", "email"]), ["first_name", "last_name"]);
        assert_eq!(nearest("send", ["send_message", "end"]), ["end", "send_message"]);
        // `id` occurs in too many of them.
        assert!(nearest("id", ["external_id", "channel_id"]).is_empty());
    }

    #[test]
    fn suggests_no_short_name_with_two_different_letters() {
        assert!(nearest("foo", ["now"]).is_empty());
        assert_eq!(nearest("nwo", ["now"]), ["now"]);
    }

    #[test]
    fn stops_suggesting_at_the_limit_of_work() {
        let mut hints = Hints { left: 25 };
        assert_eq!(hints.nearest("emial", ["email", "phone"]), ["email"]);
        assert!(hints.nearest("phnoe", ["phone"]).is_empty());
    }
}
