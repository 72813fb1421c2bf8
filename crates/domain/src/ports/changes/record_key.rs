//! Names of idempotency records.

/// The name of an idempotency record within its workspace, method and route. It consists of the actor, the client's key
/// and, for one of several operations of a request, its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordKey(String);

impl RecordKey {
    /// Returns the name for an actor and a key, which contains no space.
    pub fn new(actor: &str, key: &str) -> Self {
        Self(format!("by {actor} {key}"))
    }

    /// Returns the name for one of several operations of the same request.
    pub fn part(&self, number: usize) -> Self {
        Self(format!("{} {number}", self.0))
    }

    /// Returns the stored name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for RecordKey {
    /// Returns exactly this stored name.
    fn from(name: &str) -> Self {
        Self(name.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_between_actors_and_parts() {
        let names = |actor: &str| ["a", "by", "0", "key_1"].map(|key| RecordKey::new(actor, key));
        let (one, other) = (names("key_1"), names("user_1"));
        let stored: Vec<RecordKey> = one.iter().chain(&other).flat_map(|it| [it.clone(), it.part(0)]).collect();
        for (place, name) in stored.iter().enumerate() {
            assert!(!stored[place + 1..].contains(name), "{name:?}");
        }
    }
}
