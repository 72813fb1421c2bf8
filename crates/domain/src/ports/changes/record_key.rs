//! Names of idempotency records.

/// The name of an idempotency record within its workspace, method and route. It consists of the actor, the client's key
/// and, for one of several operations of a request, its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordKey {
    own: String,
    earlier: Option<String>,
}

/// The start of each name with an actor. Earlier names have at most one space, these have at least two.
const BY: &str = "by ";

impl RecordKey {
    /// Returns the name for an actor and a key, which contains no space.
    ///
    /// Earlier releases named records by `earlier`. Such a record is found for 24 hours after the upgrade.
    pub fn new(actor: &str, key: &str, earlier: String) -> Self {
        Self { own: format!("{BY}{actor} {key}"), earlier: Some(earlier) }
    }

    /// Returns the name for one of several operations of the same request.
    pub fn part(&self, number: usize) -> Self {
        let of_part = |name: &str| format!("{name} {number}");
        Self { own: of_part(&self.own), earlier: self.earlier.as_deref().map(of_part) }
    }

    /// Returns the stored name.
    pub fn as_str(&self) -> &str {
        &self.own
    }

    /// Returns the name in earlier releases.
    pub fn earlier(&self) -> Option<&str> {
        self.earlier.as_deref()
    }

    /// Returns the part of a stored name that binds a sealed body: the whole name if it has an actor, otherwise the
    /// client's key.
    pub(super) fn bound_part(stored: &str) -> &str {
        let has_actor = stored.strip_prefix(BY).is_some_and(|rest| rest.contains(' '));
        match stored.split_once(' ') {
            Some((_, key)) if !has_actor => key,
            Some(_) | None => stored,
        }
    }
}

impl From<&str> for RecordKey {
    /// Returns exactly this stored name.
    fn from(name: &str) -> Self {
        Self { own: name.to_owned(), earlier: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_between_actors_and_from_earlier_formats() {
        let keys = ["a", "by", "0", "key_1"];
        let names = |actor: &str| keys.map(|key| RecordKey::new(actor, key, key.to_owned()));
        let (one, other) = (names("key_1"), names("user_1"));
        let stored: Vec<String> = one.iter().chain(&other).flat_map(|it| [it.own.clone(), it.part(0).own]).collect();
        let earlier: Vec<String> = keys.iter().flat_map(|key| [key.to_string(), format!("{key} 0")]).collect();
        for (place, name) in stored.iter().enumerate() {
            assert!(!earlier.contains(name) && !stored[place + 1..].contains(name), "{name}");
        }
    }

    #[test]
    fn binds_a_sealed_body_to_its_actor_except_for_old_records() {
        assert_eq!(RecordKey::bound_part("by key_1 a"), "by key_1 a");
        assert_eq!(RecordKey::bound_part("user_1 a"), "a");
        assert_eq!(RecordKey::bound_part("a"), "a");
    }
}
