//! The secrets of a channel with those that they replaced. Both are sealed as one text.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::channel_type::ConfigField;
use super::model::PlainSecrets;
use super::secrets::{REPLACED, SIGNING_SECRET, read_secrets, write_secrets};
use crate::time::Timestamp;

/// Maximum number of replaced secrets. The oldest ones are removed first.
const MAX_REPLACED: usize = 4;

/// A secret that another one replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ReplacedSecret {
    name: String,
    secret: String,
    /// Requests of the provider with this secret are accepted before this time.
    until: Timestamp,
}

/// The secrets of a channel, with those that they replaced.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct StoredSecrets {
    /// The current secrets.
    pub current: PlainSecrets,
    /// The replaced ones, newest first.
    replaced: Vec<ReplacedSecret>,
}

impl StoredSecrets {
    /// Parses a text of [`StoredSecrets::write`] or [`write_secrets`].
    pub fn read(text: &str) -> Self {
        let all: PlainSecrets = serde_json::from_str(text).unwrap_or_default();
        let replaced = all.get(REPLACED).and_then(|list| serde_json::from_str(list).ok()).unwrap_or_default();
        Self { current: read_secrets(text), replaced }
    }

    /// Serializes the secrets as the text to seal. The replaced ones are a member with JSON text, so earlier releases
    /// still read the current ones.
    pub fn write(&self) -> String {
        let mut all = self.current.clone();
        if !self.replaced.is_empty() {
            all.insert(REPLACED.to_owned(), serde_json::to_string(&self.replaced).unwrap_or_default());
        }
        write_secrets(&all)
    }

    /// Replaces secrets. Those that [verify](ConfigField::verifies) requests, and the signing secret, stay valid for
    /// `overlap`. If a secret was
    /// replaced before, the earlier ones also end then, unless they end before.
    pub fn replace(&mut self, declared: &[ConfigField], new: &PlainSecrets, (now, overlap): (Timestamp, Duration)) {
        let end = now.plus(overlap);
        for earlier in self.replaced.iter_mut().filter(|it| new.contains_key(&it.name)) {
            earlier.until = earlier.until.min(end);
        }
        let verifies =
            |name: &str| name == SIGNING_SECRET || declared.iter().any(|field| field.verifies && field.name == name);
        for (name, secret) in new.iter().filter(|(name, _)| verifies(name)) {
            let outgoing = self.current.get(name).filter(|outgoing| *outgoing != secret);
            let outgoing = outgoing.map(|outgoing| (name.clone(), outgoing.clone()));
            if let Some((name, secret)) = outgoing {
                self.replaced.insert(0, ReplacedSecret { name, secret, until: end });
            }
        }
        self.replaced.retain(|it| it.until > now);
        self.replaced.truncate(MAX_REPLACED);
        self.current.extend(new.clone());
    }

    /// Returns the secrets once for each replaced one that is still valid, with it instead of its successor, newest first.
    pub fn earlier(&self, now: Timestamp) -> Vec<PlainSecrets> {
        let valid = self.replaced.iter().filter(|it| it.until > now);
        let earlier = |it: &ReplacedSecret| {
            let mut secrets = self.current.clone();
            secrets.insert(it.name.clone(), it.secret.clone());
            secrets
        };
        valid.map(earlier).collect()
    }

    /// Returns the texts of all secrets.
    pub fn texts(self) -> Vec<String> {
        self.current.into_values().chain(self.replaced.into_iter().map(|it| it.secret)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::channel_type::Shape;

    const TOKEN: ConfigField = ConfigField {
        name: "token",
        title: "Token",
        description: "The token.",
        shape: Shape::Text { least: 1, most: 100 },
        required: true,
        fixed: false,
        private: true,
        verifies: false,
        example: None,
    };
    const DECLARED: [ConfigField; 2] = [TOKEN, ConfigField { name: "key", verifies: true, ..TOKEN }];
    const NOW: Timestamp = Timestamp::EPOCH_2026;
    const HOUR: Duration = Duration::from_secs(3_600);

    fn secrets(of: &[(&str, &str)]) -> PlainSecrets {
        of.iter().map(|(name, secret)| ((*name).to_owned(), (*secret).to_owned())).collect()
    }

    fn keys(stored: &StoredSecrets, now: Timestamp) -> Vec<String> {
        stored.earlier(now).into_iter().map(|mut it| it.remove("key").unwrap()).collect()
    }

    #[test]
    fn only_secrets_that_verify_stay_valid_for_the_overlap() {
        let mut stored = StoredSecrets::read(r#"{"key":"old","token":"1"}"#);
        stored.replace(&DECLARED, &secrets(&[("key", "new"), ("token", "2")]), (NOW, HOUR));
        assert_eq!(stored.current, secrets(&[("key", "new"), ("token", "2")]));
        let before_the_end = NOW.plus(HOUR).minus(Duration::from_millis(1));
        assert_eq!(stored.earlier(before_the_end), [secrets(&[("key", "old"), ("token", "2")])]);
        assert_eq!(stored.earlier(NOW.plus(HOUR)), Vec::<PlainSecrets>::new());
        let text = stored.write();
        assert_eq!(StoredSecrets::read(&text), stored);
        assert_eq!(read_secrets(&text), stored.current);
        let released: PlainSecrets = serde_json::from_str(&text).unwrap();
        assert_eq!(released["key"], "new", "earlier releases read an object of texts");
        let mut texts = stored.texts();
        texts.sort_unstable();
        assert_eq!(texts, ["2", "new", "old"]);
    }

    #[test]
    fn a_later_replacement_bounds_the_earlier_ones() {
        let mut stored = StoredSecrets::read(r#"{"key":"1"}"#);
        stored.replace(&DECLARED, &secrets(&[("key", "2")]), (NOW, HOUR * 24));
        stored.replace(&DECLARED, &secrets(&[("token", "t")]), (NOW, Duration::ZERO));
        assert_eq!(keys(&stored, NOW), ["1"]);
        stored.replace(&DECLARED, &secrets(&[("key", "3")]), (NOW, HOUR));
        assert_eq!(keys(&stored, NOW), ["2", "1"]);
        assert_eq!(keys(&stored, NOW.plus(HOUR)), Vec::<String>::new());
        // The same secret again replaces nothing, but ends the overlap.
        stored.replace(&DECLARED, &secrets(&[("key", "3")]), (NOW, Duration::ZERO));
        assert_eq!(stored.write(), r#"{"key":"3","token":"t"}"#);
        for key in 4..12 {
            stored.replace(&DECLARED, &secrets(&[("key", &key.to_string())]), (NOW, HOUR));
        }
        assert_eq!(keys(&stored, NOW), ["10", "9", "8", "7"]);
    }

    #[test]
    fn reads_texts_without_replaced_secrets() {
        assert_eq!(StoredSecrets::read("whsec_1").current, secrets(&[("secret", "whsec_1")]));
        assert_eq!(StoredSecrets::read("whsec_1").write(), "whsec_1");
        let damaged = r#"{"key":"1","replaced_secrets":"x"}"#;
        assert_eq!(StoredSecrets::read(damaged).write(), r#"{"key":"1"}"#);
    }
}
