//! Tests of the layers' precedence, and of the rejection of unknown keys.

use std::fs;
use std::path::PathBuf;

use tidings_domain::access::storage_usage::StoredLimits;
use tidings_domain::conversations::ConfirmationTexts;
use tidings_domain::media::MediaLimits;
use tidings_domain::webhooks::RetrySchedule;

use super::*;
use crate::settings::LogFormat;

/// A folder of settings, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let path = std::env::temp_dir().join(format!("tidings-settings-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        for (file, text) in files {
            fs::write(path.join(file), text).unwrap();
        }
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn load(folder: &Folder, variables: &[(&str, &str)]) -> Result<Settings, String> {
    let variables = variables.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    Settings::load_from("development", &folder.0, Some(variables)).map_err(|error| error.to_string())
}

fn refused(folder: &Folder, variables: &[(&str, &str)]) -> String {
    load(folder, variables).err().unwrap()
}

#[test]
fn the_defaults_are_valid_and_safe() {
    let settings = load(&Folder::new("defaults", &[]), &[]).ok().unwrap();
    assert_eq!(settings.address.to_string(), "127.0.0.1:8080");
    assert_eq!(settings.workers, None);
    assert!(settings.public_url.is_none());
    assert_eq!(settings.data_folder(), PathBuf::from("./data"));
    assert!(!settings.allow_loopback);
    assert!(settings.master_key.is_none());
    assert_eq!(settings.retry_schedule, RetrySchedule::default().waits);
    assert_eq!((settings.starter, settings.pro, settings.business), (600, 2_000, 10_000));
    assert_eq!(settings.stored_limits, StoredLimits::default());
    let media = MediaLimits { max_bytes: settings.max_media_bytes, total: settings.media_limits };
    assert_eq!((media, settings.media_folder()), (MediaLimits::default(), PathBuf::from("./data/media")));
    assert!(settings.s3.is_none());
    assert_eq!(settings.log_format, LogFormat::Text);
}

#[test]
fn later_layers_override_earlier_ones() {
    let development = "[http]\nworkers = 2\n[engine]\nconcurrency = 2\n[storage]\npool_size = 2";
    let local = "[engine]\nconcurrency = 3\n[storage]\npool_size = 3";
    let folder = Folder::new("order", &[("development.toml", development), ("local.toml", local)]);
    let settings = load(&folder, &[("TIDINGS__STORAGE__POOL_SIZE", "4"), ("TIDINGS_ENV", "x")]).ok().unwrap();
    assert_eq!((settings.workers, settings.concurrency, settings.pool_size), (Some(2), 3, 4));
}

#[test]
fn reads_lists_and_switches_from_the_environment() {
    let folder = Folder::new("environment", &[]);
    let variables = [
        ("TIDINGS__WEBHOOKS__RETRY_SCHEDULE", "PT0S,PT1S"),
        ("TIDINGS__EGRESS__ALLOW_LOOPBACK", "true"),
        ("TIDINGS__LIMITS__PLANS__STARTER", "5"),
        ("TIDINGS__SECRETS__MASTER_KEY", ""),
    ];
    let settings = load(&folder, &variables).ok().unwrap();
    assert_eq!(settings.retry_schedule.len(), 2);
    assert_eq!((settings.allow_loopback, settings.starter), (true, 5));
    assert!(settings.master_key.is_none());
    let settings = load(&folder, &[("TIDINGS__HTTP__PUBLIC_URL", "https://tidings.example/")]).ok().unwrap();
    assert_eq!(settings.public_url, "https://tidings.example".parse().ok());
}

#[test]
fn reads_the_texts_that_confirm_an_opt_out() {
    let folder = Folder::new("confirmation", &[]);
    let texts = |variables: &[(&str, &str)]| load(&folder, variables).ok().unwrap().opt_out_confirmation;
    assert_ne!(texts(&[]), ConfirmationTexts::default());
    assert_eq!(texts(&[("TIDINGS__CHANNELS__OPT_OUT_CONFIRMATION__ENABLED", "false")]), ConfirmationTexts::default());
    assert_ne!(texts(&[("TIDINGS__CHANNELS__OPT_OUT_CONFIRMATION__EN", "Bye")]), texts(&[]));
}

#[test]
fn rejects_an_unknown_key_and_suggests_the_nearest() {
    let folder = Folder::new("unknown", &[("local.toml", "[http]\nadress = \"127.0.0.1:1\"")]);
    let refusal = refused(&folder, &[]);
    assert!(refusal.starts_with("unknown setting `http.adress` in "), "{refusal}");
    assert!(refusal.ends_with("local.toml; did you mean `http.address`?"), "{refusal}");

    let folder = Folder::new("unknown-variable", &[]);
    let refusal = refused(&folder, &[("TIDINGS__PLANS__STARTER", "1")]);
    assert!(refusal.contains("`plans.starter` in the environment"), "{refusal}");
    assert!(refusal.contains("`limits.plans.starter`"), "{refusal}");
    assert!(refused(&folder, &[("TIDINGS__STORAG__URL", "x")]).contains("`storage.url`"));
    assert!(refused(&folder, &[("TIDINGS__A__B", "x")]).contains("`tidings settings` prints all"));
    let sections = refused(&folder, &[("TIDINGS__ADDRESS", "127.0.0.1:1")]);
    assert!(sections.ends_with("did you mean `http.address` or `metrics.address`?"), "{sections}");
}

#[test]
fn rejects_a_misspelled_variable() {
    let folder = Folder::new("misspelled", &[]);
    for name in ["TIDINGS_HTTP__ADDRESS", "TIDINGS_HTTP_ADDRESS", "TIDINGS_http__address"] {
        let refusal = refused(&folder, &[(name, "127.0.0.1:1")]);
        assert!(refusal.contains(&format!("`{name}`")), "{refusal}");
        assert!(refusal.ends_with("did you mean `TIDINGS__HTTP__ADDRESS`?"), "{refusal}");
    }
    // Variables of other programs, and of a cluster with a service of this name.
    let others = ["TIDINGS_ENV", "TIDINGS_API_KEY", "TIDINGS_PORT", "TIDINGS_SERVICE_HOST", "TIDINGS_PORT_8080_TCP"];
    assert!(load(&folder, &others.map(|name| (name, "x"))).is_ok());
    assert!(load(&folder, &[("TIDINGS_HTTP_ADDRESS", "")]).is_ok(), "an empty variable is ignored");
}

#[test]
fn names_the_setting_of_an_invalid_value_and_no_secret() {
    let folder = Folder::new("wrong", &[]);
    for (variable, value, named) in [
        ("TIDINGS__HTTP__ADDRESS", "localhost", "http.address"),
        ("TIDINGS__HTTP__WORKERS", "many", "http.workers"),
        ("TIDINGS__HTTP__PUBLIC_URL", "tidings.example", "http.public_url"),
        ("TIDINGS__HTTP__PUBLIC_URL", "https://tidings.example/panel", "http.public_url"),
        ("TIDINGS__HTTP__PUBLIC_URL", "https://ada:hunter2@tidings.example", "http.public_url"),
        ("TIDINGS__STORAGE__URL", "mysql://x", "storage.url"),
        ("TIDINGS__STORAGE__URL", "sqlite://", "storage.url"),
        ("TIDINGS__STORAGE__URL", "sqlite://:memory:", "storage.url"),
        ("TIDINGS__STORAGE__URL", "sqlite://tidings.db?mode=rwc", "storage.url"),
        ("TIDINGS__STORAGE__POOL_SIZE", "0", "storage.pool_size"),
        ("TIDINGS__STORAGE__SEARCH_TIMEOUT", "PT7S", "storage.search_timeout"),
        ("TIDINGS__ENGINE__CONCURRENCY", "0", "engine.concurrency"),
        ("TIDINGS__WEBHOOKS__RETRY_SCHEDULE", "PT5S", "webhooks.retry_schedule"),
        ("TIDINGS__WEBHOOKS__RETRY_SCHEDULE", "PT0S,5s", "webhooks.retry_schedule"),
        ("TIDINGS__ENGINE__OUTBOUND", "maybe", "engine.outbound"),
        ("TIDINGS__CHANNELS__OPT_OUT_CONFIRMATION__DE", "a\nb", "channels.opt_out_confirmation.de"),
        ("TIDINGS__EGRESS__ALLOWED_NETWORKS", "10.0.0.0/8,8.8.8.0/24", "egress.allowed_networks"),
        ("TIDINGS__EGRESS__PLAIN_HTTP_HOSTS", "backend:8080", "egress.plain_http_hosts"),
        ("TIDINGS__LIMITS__PLANS__PRO", "0", "limits.plans.pro"),
        ("TIDINGS__RETENTION__EVENTS", "6", "retention.events"),
        ("TIDINGS__RETENTION__DELIVERIES", "401", "retention.deliveries"),
        ("TIDINGS__RETENTION__USAGE", "0", "retention.usage"),
        ("TIDINGS__RETENTION__TRACES", "P7D", "retention.traces"),
        ("TIDINGS__RETENTION__CUSTOM_EVENTS", "401", "retention.custom_events"),
        ("TIDINGS__RETENTION__RUNS", "6", "retention.runs"),
        ("TIDINGS__RETENTION__RECIPIENTS", "401", "retention.recipients"),
        ("TIDINGS__RETENTION__AUDIT_LOG", "6", "retention.audit_log"),
        ("TIDINGS__RETENTION__MESSAGES", "29", "retention.messages"),
        ("TIDINGS__RETENTION__CONVERSATIONS", "3651", "retention.conversations"),
        ("TIDINGS__RETENTION__DELETED_CONTACTS", "7", "retention.deleted_contacts"),
        ("TIDINGS__MEDIA__STORE", "disk", "media.store"),
        ("TIDINGS__LOG__FORMAT", "xml", "log.format"),
        ("TIDINGS__LOG__LEVEL", "loud", "log.level"),
        ("TIDINGS__SECRETS__MASTER_KEY", "hunter2", "secrets.master_key"),
    ] {
        let refusal = refused(&folder, &[(variable, value)]);
        assert!(refusal.contains(named), "{variable}: {refusal}");
        assert!(!refusal.contains("hunter2"), "{refusal}");
    }
}

/// A complete bucket, with one other value.
fn bucket_with(name: &str, value: &str) -> Vec<(&'static str, String)> {
    let mut variables: Vec<_> = [
        ("TIDINGS__MEDIA__STORE", "s3"),
        ("TIDINGS__MEDIA__S3__ENDPOINT", "http://minio.internal:9000"),
        ("TIDINGS__MEDIA__S3__REGION", "eu-central-1"),
        ("TIDINGS__MEDIA__S3__BUCKET", "files"),
        ("TIDINGS__MEDIA__S3__PREFIX", "tidings/media"),
        ("TIDINGS__MEDIA__S3__ACCESS_KEY_ID", "AKIDEXAMPLE"),
        ("TIDINGS__MEDIA__S3__SECRET_ACCESS_KEY", "hunter2/hunter2"),
        ("TIDINGS__MEDIA__S3__PATH_STYLE", "true"),
    ]
    .map(|(name, value)| (name, value.to_owned()))
    .into();
    variables.iter_mut().filter(|it| it.0 == name).for_each(|it| value.clone_into(&mut it.1));
    variables
}

fn load_bucket(folder: &Folder, name: &str, value: &str) -> Result<Settings, String> {
    let variables = bucket_with(name, value);
    let variables: Vec<_> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
    load(folder, &variables)
}

#[test]
fn reads_the_bucket_of_files() {
    let folder = Folder::new("bucket", &[]);
    for (name, value, address, prefix) in [
        ("", "", "http://minio.internal:9000/files/", "tidings/media/"),
        ("TIDINGS__MEDIA__S3__PATH_STYLE", "false", "http://files.minio.internal:9000/", "tidings/media/"),
        ("TIDINGS__MEDIA__S3__ENDPOINT", "", "https://s3.eu-central-1.amazonaws.com/files/", "tidings/media/"),
        ("TIDINGS__MEDIA__S3__ENDPOINT", "http://127.0.0.1:1/s3", "http://127.0.0.1:1/s3/files/", "tidings/media/"),
        ("TIDINGS__MEDIA__S3__PREFIX", "", "http://minio.internal:9000/files/", ""),
        ("TIDINGS__MEDIA__S3__PREFIX", "media/", "http://minio.internal:9000/files/", "media/"),
    ] {
        let s3 = load_bucket(&folder, name, value).ok().unwrap().s3.unwrap();
        assert_eq!((s3.bucket.base_url().as_str(), s3.prefix.as_str()), (address, prefix), "{name}={value}");
        assert_eq!((s3.bucket.name(), s3.bucket.region()), ("files", "eu-central-1"));
        assert_eq!((s3.credentials.key(), s3.credentials.secret()), ("AKIDEXAMPLE", "hunter2/hunter2"));
    }
    for (name, value) in [
        ("media.s3.region", "eu central"),
        ("media.s3.bucket", ""),
        ("media.s3.bucket", "../files"),
        ("media.s3.prefix", "/media"),
        ("media.s3.prefix", "a/../b"),
        ("media.s3.prefix", "a//b"),
        ("media.s3.prefix", "Grüße"),
        ("media.s3.access_key_id", ""),
        ("media.s3.secret_access_key", ""),
        ("media.s3.endpoint", "minio.internal"),
        ("media.s3.endpoint", "ftp://minio.internal"),
        ("media.s3.endpoint", "http://ada:hunter2@minio.internal"),
    ] {
        let variable = format!("TIDINGS__{}", name.to_uppercase().replace('.', "__"));
        let refusal = load_bucket(&folder, &variable, value).err().unwrap();
        assert!(refusal.contains(&format!("`{name}`")) && !refusal.contains("hunter2"), "{name}={value}: {refusal}");
    }
}

#[test]
fn shows_a_bucket_without_its_secret() {
    let folder = Folder::new("shown-bucket", &[]);
    let variables = bucket_with("", "").into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    let effective = Settings::effective_in("development", &folder.0, Some(variables));
    let shown = |key: &str| effective.iter().find(|it| it.key == key).unwrap().value.clone();
    assert_eq!(shown("media.s3.secret_access_key"), "(set, hidden)");
    assert_eq!(shown("media.s3.bucket"), "files");
    assert!(effective.iter().all(|it| !it.value.contains("hunter2")));
}

#[test]
fn every_default_has_a_comment() {
    let lines: Vec<&str> = DEFAULTS.lines().collect();
    for (number, line) in lines.iter().enumerate().filter(|(_, line)| line.contains(" = ") && !line.starts_with('#')) {
        let above = lines[..number].iter().rev().find(|line| line.starts_with('#') || line.starts_with('['));
        assert!(above.is_some_and(|line| line.starts_with('#')), "{line}");
    }
}

#[test]
fn reads_proxies_and_origins_as_lists_and_times_as_durations() {
    let folder = Folder::new("connections", &[("local.toml", "[http]\ntrusted_proxies = [\"10.0.0.0/8\"]")]);
    let variables = [
        ("TIDINGS__HTTP__CORS_ORIGINS", "https://app.example,http://localhost:5173"),
        ("TIDINGS__HTTP__TIMEOUTS__HEAD", "PT1.5S"),
        ("TIDINGS__SHUTDOWN__DRAIN", "PT0S"),
    ];
    let settings = load(&folder, &variables).ok().unwrap();
    assert_eq!(settings.trusted_proxies, "10.0.0.0/8".parse().unwrap());
    assert_eq!((settings.timeouts.head.as_millis(), settings.drain.as_millis()), (1_500, 0));
    for (key, value, name) in [
        ("TIDINGS__HTTP__TRUSTED_PROXIES", "10.0.0.0/8,proxy.internal", "http.trusted_proxies"),
        ("TIDINGS__HTTP__CORS_ORIGINS", "*", "http.cors_origins"),
        ("TIDINGS__HTTP__TIMEOUTS__WRITE", "PT0S", "http.timeouts.write"),
        ("TIDINGS__HTTP__TIMEOUTS__KEEP_ALIVE", "PT0.3S", "http.timeouts.keep_alive"),
        ("TIDINGS__HTTP__TIMEOUTS__BODY", "30", "http.timeouts.body"),
        ("TIDINGS__HTTP__CONNECTIONS", "0", "http.connections"),
        ("TIDINGS__SHUTDOWN__DRAIN", "PT1H", "shutdown.drain"),
        ("TIDINGS__LIMITS__PAGES", "0", "limits.pages"),
        ("TIDINGS__ENGINE__LEASE", "PT1S", "engine.lease"),
    ] {
        assert!(refused(&folder, &[(key, value)]).contains(&format!("`{name}`")), "{key}={value}");
    }
}
