//! The layers of settings, and the rejection of unknown keys.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use config::{Config, ConfigError, Environment, File, FileFormat, Source, Value, ValueKind};
use tidings_domain::text::nearest;

use super::values::Raw;
use super::{Settings, SettingsError};

/// The annotated defaults, which list all settings.
pub(super) const DEFAULTS: &str = include_str!("../../../../config/default.toml");

impl Settings {
    /// Reads the settings for `environment` with the files in `folder`. In tests, `variables` replaces the process's
    /// environment.
    pub(crate) fn load_from(
        environment: &str,
        folder: &Path,
        variables: Option<HashMap<String, String>>,
    ) -> Result<Self, SettingsError> {
        merged(environment, folder, variables)?.try_deserialize::<Raw>()?.validated(environment)
    }

    /// Returns all effective settings with hidden secrets; empty if they cannot be read.
    pub(super) fn effective_in(
        environment: &str,
        folder: &Path,
        variables: Option<HashMap<String, String>>,
    ) -> Vec<Effective> {
        let Ok(merged) = merged(environment, folder, variables) else { return Vec::new() };
        let keys = keys(&File::from_str(DEFAULTS, FileFormat::Toml)).unwrap_or_default();
        let effective = |key: String| {
            let value = merged.get::<Value>(&key).map(|value| shown(&key, &value)).unwrap_or_default();
            Effective { key, value }
        };
        keys.into_iter().map(effective).collect()
    }
}

/// An effective setting.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Effective {
    /// The key.
    pub key: String,
    /// The value; for a secret, only whether it is set.
    pub value: String,
}

/// Returns a value for display: without secrets, and without the password of a URL.
fn shown(key: &str, value: &Value) -> String {
    let text = match &value.kind {
        ValueKind::Array(items) if key.ends_with("keys") && !items.is_empty() => {
            return format!("({} set, hidden)", items.len());
        }
        ValueKind::Array(items) => items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        _ => value.to_string(),
    };
    let name = key.rsplit('.').next().unwrap_or(key);
    if ["key", "token", "secret", "password"].iter().any(|word| name.ends_with(word)) {
        return if text.is_empty() { "(not set)" } else { "(set, hidden)" }.to_owned();
    }
    let Some((scheme, rest)) = text.split_once("://") else { return text };
    // All text before the last @ of the authority can contain a password.
    let (authority, path) = rest.find(['/', '?']).map_or((rest, ""), |end| rest.split_at(end));
    let path = if path.contains("password") { "/(hidden)" } else { path };
    match authority.rsplit_once('@') {
        None => format!("{scheme}://{authority}{path}"),
        Some((user, host)) => {
            let user = user.split(':').next().unwrap_or_default();
            format!("{scheme}://{user}:(hidden)@{host}{path}")
        }
    }
}

/// Merges the layers, and rejects unknown keys.
fn merged(
    environment: &str,
    folder: &Path,
    variables: Option<HashMap<String, String>>,
) -> Result<Config, SettingsError> {
    let defaults = File::from_str(DEFAULTS, FileFormat::Toml);
    let of_environment = folder.join(format!("{environment}.toml"));
    let local = folder.join("local.toml");
    let file = |path: &Path| File::from(path.to_owned()).format(FileFormat::Toml).required(false);
    // An empty variable counts as absent, like an empty setting.
    let names: Vec<String> = match &variables {
        Some(variables) => variables.iter().filter(|it| !it.1.is_empty()).map(|(name, _)| name.clone()).collect(),
        None => std::env::vars_os().filter(|it| !it.1.is_empty()).filter_map(|it| it.0.into_string().ok()).collect(),
    };
    let variables = Environment::with_prefix("TIDINGS")
        .prefix_separator("__")
        .separator("__")
        .ignore_empty(true)
        .try_parsing(true)
        .list_separator(",")
        .with_list_parse_key("webhooks.retry_schedule")
        .with_list_parse_key("channels.opt_out_words")
        .with_list_parse_key("secrets.previous_keys")
        .with_list_parse_key("egress.allowed_networks")
        .with_list_parse_key("egress.plain_http_hosts")
        .with_list_parse_key("http.trusted_proxies")
        .with_list_parse_key("http.cors_origins")
        .source(variables);

    let known = keys(&defaults)?;
    refuse_misspelled(&known, names)?;
    refuse_unknown(&known, &file(&of_environment), &of_environment.display().to_string())?;
    refuse_unknown(&known, &file(&local), &local.display().to_string())?;
    refuse_unknown(&known, &variables, "the environment (TIDINGS__…)")?;
    let merged = Config::builder()
        .add_source(defaults)
        .add_source(file(&of_environment))
        .add_source(file(&local))
        .add_source(variables)
        .build()?;
    Ok(merged)
}

fn refuse_unknown(known: &[String], source: &dyn Source, origin: &str) -> Result<(), SettingsError> {
    let Some(key) = keys(source)?.into_iter().find(|key| !known.contains(key)) else { return Ok(()) };
    // The right name in a wrong section, or without a section.
    let last = |key: &str| key.rsplit('.').next().map(str::to_owned);
    let elsewhere = known.iter().map(String::as_str).filter(|it| last(it) == last(&key));
    let mut near: Vec<&str> = if key.contains('.') { Vec::new() } else { elsewhere.clone().collect() };
    if near.is_empty() {
        near = nearest(&key, known.iter().map(String::as_str)).into_iter().take(1).collect();
    }
    if near.is_empty() {
        near = elsewhere.collect();
    }
    let nearest = near.into_iter().map(str::to_owned).collect();
    Err(SettingsError::Unknown { key, origin: origin.to_owned(), nearest })
}

/// Rejects a misspelled variable, which would otherwise be ignored: `TIDINGS_HTTP__ADDRESS`, `TIDINGS_HTTP_ADDRESS`.
/// Other variables are accepted: they are for other programs, or a cluster sets them for a service of this name.
fn refuse_misspelled(known: &[String], names: Vec<String>) -> Result<(), SettingsError> {
    let folded = |name: &str| name.to_lowercase().replace("__", "_").replace('.', "_");
    for name in names {
        let meant = name.strip_prefix("TIDINGS_").filter(|rest| !rest.starts_with('_'));
        let Some(meant) = meant.map(folded) else { continue };
        if let Some(key) = known.iter().find(|key| folded(key) == meant) {
            let nearest = vec![format!("TIDINGS__{}", key.to_uppercase().replace('.', "__"))];
            return Err(SettingsError::Unknown { key: name, origin: "the environment".to_owned(), nearest });
        }
    }
    Ok(())
}

/// Returns the dotted names of all values of a source, in order.
fn keys(source: &dyn Source) -> Result<Vec<String>, ConfigError> {
    fn gather(prefix: &str, value: &Value, keys: &mut BTreeMap<String, ()>) {
        match &value.kind {
            ValueKind::Table(table) => {
                for (name, value) in table {
                    gather(&format!("{prefix}.{name}"), value, keys);
                }
            }
            _ => drop(keys.insert(prefix.to_owned(), ())),
        }
    }
    let mut keys = BTreeMap::new();
    for (name, value) in source.collect()? {
        gather(&name, &value, &mut keys);
    }
    Ok(keys.into_keys().collect())
}

#[cfg(test)]
mod tests;
