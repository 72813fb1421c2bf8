//! A cache of compiled patterns of fields.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use regex::{Regex, RegexBuilder};

/// Maximum number of cached patterns. Each uses up to [`MOST_MEMORY`], and as much again for each thread that matches
/// with it.
const MOST_KEPT: usize = 64;
/// Maximum size in bytes of a compiled pattern, and of the cache that matching uses.
const MOST_MEMORY: usize = 1 << 18;

/// The patterns that were used last, the latest first.
static KEPT: Mutex<VecDeque<(String, Arc<Regex>)>> = Mutex::new(VecDeque::new());

/// Returns the compiled pattern. Matching takes time in proportion to the text, which has at most 4 096 characters.
///
/// # Errors
/// The pattern is not a regular expression, or needs too much memory.
pub(super) fn compiled(pattern: &str) -> Result<Arc<Regex>, regex::Error> {
    if let Some(kept) = kept(pattern) {
        return Ok(kept);
    }
    // The lock is released during the compilation.
    let compiled = RegexBuilder::new(pattern).size_limit(MOST_MEMORY).dfa_size_limit(MOST_MEMORY).build();
    let compiled = compiled.map(Arc::new)?;
    let mut all = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    all.push_front((pattern.to_owned(), compiled.clone()));
    all.truncate(MOST_KEPT);
    Ok(compiled)
}

/// Returns the pattern if it is cached, and marks it as the latest.
fn kept(pattern: &str) -> Option<Arc<Regex>> {
    let mut all = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let place = all.iter().position(|(kept, _)| kept == pattern)?;
    let found = all.remove(place)?;
    let compiled = found.1.clone();
    all.push_front(found);
    Some(compiled)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_a_limited_number_of_compiled_patterns() {
        let pattern = "^once (and|or) again$";
        let first = compiled(pattern).expect("the pattern is valid");
        assert!(Arc::ptr_eq(&first, &compiled(pattern).expect("the pattern is valid")));
        for n in 0..MOST_KEPT * 2 {
            compiled(&format!("^{n}$")).expect("the pattern is valid");
        }
        assert!(KEPT.lock().expect("the lock is not poisoned").len() <= MOST_KEPT);
        assert!(
            first.is_match("once or again")
                && compiled(pattern).expect("the pattern is valid").is_match("once and again")
        );
    }

    #[test]
    fn rejects_expensive_and_malformed_patterns() {
        for pattern in ["\\w{500}", "(a{100}){100}", "((((a{10}){10}){10}){10}){10}", "["] {
            assert!(compiled(pattern).is_err(), "{pattern}");
        }
    }
}
