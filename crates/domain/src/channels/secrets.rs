//! Secrets of a channel. They are sealed together, bound to the channel's ID.

use std::collections::BTreeMap;

use super::model::PlainSecrets;

/// Name of the secret that the server generates to sign in both directions.
pub const SIGNING_SECRET: &str = "secret";
/// Name of the secret that the server generates and the provider repeats in each request. It is never shown.
pub const ECHO_SECRET: &str = "echo_secret";
/// Name of the replaced secrets, which are sealed together with the current ones. No type declares such a secret.
pub(super) const REPLACED: &str = "replaced_secrets";
/// Number of characters of the shortest secret with a hint.
const SHORTEST_HINTED: usize = 12;

/// Serializes secrets as the text to seal: a JSON object. A single signing secret is the text itself, as releases
/// before 0.5.0 wrote it.
pub fn write_secrets(secrets: &PlainSecrets) -> String {
    match secrets.get(SIGNING_SECRET) {
        Some(secret) if secrets.len() == 1 => secret.clone(),
        Some(_) | None => serde_json::to_string(secrets).unwrap_or_default(),
    }
}

/// Parses a text of [`write_secrets`]. Returns no secrets if it is damaged, and no replaced ones.
pub fn read_secrets(text: &str) -> PlainSecrets {
    match text.starts_with('{') {
        true => {
            let mut secrets: PlainSecrets = serde_json::from_str(text).unwrap_or_default();
            secrets.remove(REPLACED);
            secrets
        }
        false => BTreeMap::from([(SIGNING_SECRET.to_owned(), text.to_owned())]),
    }
}

/// Returns the last four characters of each secret, which are stored in plain text. The hint of a short secret is empty,
/// because it would reveal too much of a PIN or a password.
pub fn secret_hints(secrets: &PlainSecrets) -> PlainSecrets {
    let end = |secret: &str| match secret.chars().count() {
        0..SHORTEST_HINTED => String::new(),
        length => secret.chars().skip(length - 4).collect(),
    };
    secrets.iter().map(|(name, secret)| (name.clone(), end(secret))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(of: &[(&str, &str)]) -> PlainSecrets {
        of.iter().map(|(name, secret)| ((*name).to_owned(), (*secret).to_owned())).collect()
    }

    #[test]
    fn stores_a_single_signing_secret_as_plain_text() {
        let one = secrets(&[("secret", "whsec_abcdefgh")]);
        assert_eq!(write_secrets(&one), "whsec_abcdefgh");
        assert_eq!(read_secrets("whsec_abcdefgh"), one);
        assert_eq!(secret_hints(&one), secrets(&[("secret", "efgh")]));
    }

    #[test]
    fn reveals_nothing_of_a_short_secret() {
        let all = secrets(&[("pin", "123456"), ("smtp_password", "pass"), ("access_token", "EAAB0123wxyz")]);
        let hints = secrets(&[("pin", ""), ("smtp_password", ""), ("access_token", "wxyz")]);
        assert_eq!(secret_hints(&all), hints);
    }

    #[test]
    fn stores_every_other_combination_of_secrets_as_an_object() {
        for (plain, stored) in [
            (secrets(&[]), "{}"),
            (secrets(&[("bot_token", "1:abc")]), r#"{"bot_token":"1:abc"}"#),
            (secrets(&[("pin", "12"), ("secret", "whsec_1")]), r#"{"pin":"12","secret":"whsec_1"}"#),
        ] {
            assert_eq!(write_secrets(&plain), stored);
            assert_eq!(read_secrets(stored), plain);
        }
        assert_eq!(read_secrets("{damaged"), secrets(&[]));
    }
}
