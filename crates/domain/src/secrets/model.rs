use secrecy::SecretString;
use serde::Serialize;

use crate::ids::SecretId;
use crate::time::Timestamp;

/// Maximum size of a value in bytes.
pub const MAX_VALUE: usize = 4_096;
const MAX_NAME: usize = 64;

/// A value that replaces its name in requests of flows to its hosts. It is never shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    /// The ID. Stored references use it.
    pub id: SecretId,
    /// Name: `^[A-Z][A-Z0-9_]{0,63}$`. Unique in the workspace; never changes.
    pub name: String,
    /// The value, sealed.
    pub sealed: Vec<u8>,
    /// The hosts that can receive the secret, in lower case; 1 to 20.
    pub hosts: Vec<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last replaced.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl Secret {
    /// Returns the name, which is unique in the workspace.
    pub fn unique_name(&self) -> String {
        self.name.clone()
    }

    /// Whether this host can receive it. `host` has the form of a parsed URL.
    pub fn is_for(&self, host: &str) -> bool {
        self.hosts.iter().any(|it| it == host)
    }
}

/// Returns the context that a sealed value is bound to.
pub fn secret_context(secret: SecretId) -> String {
    format!("secret:{secret}")
}

/// Whether a text can be the name of a secret: a capital letter, then capital letters, digits and `_`, at most 64 in
/// total.
pub fn is_name(text: &str) -> bool {
    let begins = text.bytes().next().is_some_and(|byte| byte.is_ascii_uppercase());
    let goes_on = text.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    begins && goes_on && text.len() <= MAX_NAME
}

/// The input to create or replace a secret.
#[derive(Debug, Clone)]
pub struct PutSecret {
    /// The name.
    pub name: String,
    /// The value, 1 byte to [`MAX_VALUE`].
    pub value: SecretString,
    /// The hosts that can receive the secret.
    pub hosts: Vec<String>,
}

impl PutSecret {
    /// Creates the command for a secret that only these hosts can receive.
    pub fn new(name: impl Into<String>, value: SecretString, hosts: Vec<String>) -> Self {
        Self { name: name.into(), value, hosts }
    }
}

/// A secret, without its value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Secret))]
#[non_exhaustive]
pub struct SecretView {
    /// The name, as in templates: `{{ secrets.NAME }}`.
    pub name: String,
    /// The hosts that can receive the secret.
    pub hosts: Vec<String>,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last replaced.
    pub updated_at: Timestamp,
    /// Version: 1 at first, incremented by each change.
    pub version: i64,
}

impl From<&Secret> for SecretView {
    fn from(it: &Secret) -> Self {
        Self {
            name: it.name.clone(),
            hosts: it.hosts.clone(),
            created_at: it.created_at,
            updated_at: it.updated_at,
            version: it.version,
        }
    }
}
