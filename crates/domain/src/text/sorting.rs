//! Sorting of names.

use icu_collator::CollatorBorrowed;
use icu_collator::options::{CollatorOptions, Strength};

use super::single_spaced;

/// Version of the keys, in their first byte. Increase it if new collation data changes the keys: stored keys of earlier
/// versions are then outdated.
const VERSION: u8 = 1;

/// Maximum size of a stored key in bytes: it must fit into a cursor and an index.
const MAX_SORT_KEY: usize = 400;

/// The root collation of CLDR, for all languages: letters, then accents, then case.
static ROOT: CollatorBorrowed<'static> = {
    let mut options = CollatorOptions::default();
    options.strength = Some(Strength::Tertiary);
    CollatorBorrowed::new_root(options)
};

/// Returns the sort key of a name: Álvaro is between Alma and Zoë. Keys are compared byte by byte, so all stores agree.
/// Names that differ only after the maximum key size, or in ignored characters, have the same key; lists order them by
/// ID.
pub fn sort_key(name: &str) -> Vec<u8> {
    let mut key = vec![VERSION];
    let Ok(()) = ROOT.write_sort_key_to(&single_spaced(name), &mut key);
    key.truncate(MAX_SORT_KEY);
    key
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sorted<const N: usize>(mut names: [&str; N]) -> [&str; N] {
        names.sort_by_key(|name| sort_key(name));
        names
    }

    #[test]
    fn sorts_names_by_letters_then_accents_then_case() {
        assert_eq!(sorted(["Zoë", "Álvaro", "Alma", "Bo"]), ["Alma", "Álvaro", "Bo", "Zoë"]);
        assert_eq!(sorted(["Zebra", "Éclair", "eclair"]), ["eclair", "Éclair", "Zebra"]);
        assert_eq!(sorted(["Arm", "Ärger", "Arger", "Arger 2"]), ["Arger", "Ärger", "Arger 2", "Arm"]);
        assert_eq!(sorted(["M", "Łukasz", "Lukas", "Lz"]), ["Lukas", "Łukasz", "Lz", "M"]);
        assert_eq!(sorted(["strasze", "straße", "strasse", "strand"]), ["strand", "strasse", "straße", "strasze"]);
        assert_eq!(sorted(["世界", "Жанна", "Ωμέγα", "zz", "10", "_"]), ["_", "10", "zz", "Ωμέγα", "Жанна", "世界"]);
        assert_eq!(sorted(["Ada B", "ADA", "ada", "Adam", "Ada"]), ["ada", "Ada", "ADA", "Ada B", "Adam"]);
    }

    #[test]
    fn ignores_spaces_and_normal_forms_of_characters() {
        assert_eq!(sort_key("  Anna \u{a0} Zed "), sort_key("Anna Zed"));
        assert_eq!(sort_key("A\u{301}lvaro"), sort_key("Álvaro"));
    }

    /// If a release of the library makes other keys, increase [`VERSION`] and add a migration that computes the stored
    /// keys again.
    #[test]
    fn sort_keys_are_equal_to_the_stored_ones() {
        let names = ["Álvaro", "straße", "Łukasz", "Жанна", "世界", "عمر", "한국", "O’Neil 42", "👩‍🚒"];
        let keys = names.map(|name| sort_key(name).iter().map(|byte| format!("{byte:02x}")).collect::<String>());
        assert_eq!(
            keys,
            [
                "012b41552b4d470145880901dc0a",
                "014f514d2b4f4f330142700601c2e0d305",
                "0141533f2b4f5d0145b20901dc0a",
                "01622c06787806010901db08",
                "01fa022efa513801060106",
                "0167a8ca7001070107",
                "017c2a67b90681b3010a010a",
                "0147097045333b41041a160145730b01dcc5dc0a",
                "010d368f0d506201060106",
            ]
        );
    }

    proptest! {
        #[test]
        fn sort_keys_are_short_and_follow_the_collation(a in "\\PC{0,300}", b in "\\PC{0,300}") {
            let (first, second) = (sort_key(&a), sort_key(&b));
            prop_assert!(first.len() <= MAX_SORT_KEY && second.len() <= MAX_SORT_KEY);
            let whole = ROOT.compare(&single_spaced(&a), &single_spaced(&b));
            prop_assert!(first.cmp(&second) == whole || first == second, "{a:?} {b:?}");
        }
    }
}
