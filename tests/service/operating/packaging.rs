//! The packaging files are valid and run the program as documented. No container is started here.

use std::collections::BTreeSet;

use yaml_rust2::{Yaml, YamlLoader};

const COMPOSE: &str = include_str!("../../../compose.yaml");
const DOCKERFILE: &str = include_str!("../../../Dockerfile");
const UNIT: &str = include_str!("../../../packaging/systemd/tidings.service");
const PROXY: &str = include_str!("../../../packaging/proxy/Caddyfile");
const ADVISORIES: &str = include_str!("../../../.github/workflows/advisories.yml");
const MAKEFILE: &str = include_str!("../../../Makefile");
const CI: &str = include_str!("../../../.ci/run");
const DEFAULTS: &str = include_str!("../../../config/default.toml");

/// Returns all settings as environment variables.
fn settings() -> BTreeSet<String> {
    let (mut section, mut names) = (String::new(), BTreeSet::new());
    for line in DEFAULTS.lines().filter(|line| !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            section = name.replace('.', "__").to_uppercase();
        } else if let Some((name, _)) = line.split_once(" = ") {
            names.insert(format!("TIDINGS__{section}__{}", name.to_uppercase()));
        }
    }
    names
}

#[track_caller]
fn assert_known(name: &str) {
    assert!(name == "TIDINGS_ENV" || settings().contains(name), "{name} is not a setting");
}

/// Returns a value of a service, including inherited ones (`<<`).
fn merged(service: &Yaml, key: &str) -> Yaml {
    match &service[key] {
        Yaml::BadValue if !service["<<"].is_badvalue() => merged(&service["<<"], key),
        value => value.clone(),
    }
}

fn words(list: &Yaml) -> Vec<String> {
    list.as_vec().unwrap().iter().map(|it| it.as_str().unwrap().to_owned()).collect()
}

#[test]
fn compose_runs_two_api_servers_and_two_engines_read_only() {
    let file = YamlLoader::load_from_str(COMPOSE).unwrap().pop().unwrap();
    let services = file["services"].as_hash().unwrap();
    let names: Vec<&str> = services.keys().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(names, ["postgres", "valkey", "migrate", "api-1", "api-2", "engine-1", "engine-2", "proxy"]);
    for (name, command) in [
        ("migrate", ["migrate"].as_slice()),
        ("api-1", &["serve", "--role", "api"]),
        ("api-2", &["serve", "--role", "api"]),
        ("engine-1", &["serve", "--role", "engine"]),
        ("engine-2", &["serve", "--role", "engine"]),
    ] {
        let service = &file["services"][name];
        assert_eq!(words(&merged(service, "command")), command, "{name}");
        assert_eq!(merged(service, "read_only").as_bool(), Some(true), "{name}");
        assert_eq!(words(&merged(service, "cap_drop")), ["ALL"], "{name}");
        let environment = merged(service, "environment");
        let folder = environment["TIDINGS__MEDIA__FOLDER"].as_str().unwrap();
        let volumes = words(&merged(service, "volumes"));
        let is_shared = |volume: &String| {
            volume.strip_prefix("files:").is_some_and(|mounted| folder.starts_with(&format!("{mounted}/")))
        };
        assert!(volumes.iter().any(is_shared), "{name} must share {folder} with the other processes: {volumes:?}");
        environment.as_hash().unwrap().keys().for_each(|it| assert_known(it.as_str().unwrap()));
        for setting in ["TIDINGS__SECRETS__PREVIOUS_KEYS", "TIDINGS__LOG__LEVEL", "TIDINGS__HTTP__PUBLIC_URL"] {
            assert!(environment[setting].is_null(), "{name} must read {setting} from .env");
        }
        assert!(!merged(service, "depends_on").is_badvalue(), "{name} must wait for the migration");
    }
    let image = merged(&file["services"]["api-1"], "image");
    assert_eq!(image.as_str(), Some(concat!("tidings:", env!("CARGO_PKG_VERSION"))));
    for (name, service) in services {
        let waits = merged(service, "depends_on");
        let waits: Vec<String> = match &waits {
            Yaml::Hash(by_name) => by_name.keys().map(|it| it.as_str().unwrap().to_owned()).collect(),
            Yaml::Array(_) => words(&waits),
            _ => Vec::new(),
        };
        assert!(waits.iter().all(|it| names.contains(&it.as_str())), "{name:?} waits for unknown services: {waits:?}");
        for volume in service["volumes"].as_vec().into_iter().flatten() {
            let volume = volume.as_str().unwrap().split(':').next().unwrap();
            let is_file = volume.strip_prefix("./").is_some_and(|path| {
                std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(path).is_file()
            });
            assert!(is_file || !file["volumes"][volume].is_badvalue(), "{volume}");
        }
    }
    assert!(["api-1:8080", "api-2:8080", "/readyz"].iter().all(|it| PROXY.contains(it)));
}

/// Returns the arguments of a directive in the proxy's configuration.
fn of_proxy(directive: &str) -> Vec<&'static str> {
    let words = PROXY.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    words
        .filter_map(|line| line.split_first().filter(|(name, _)| **name == directive).map(|(_, rest)| rest.to_vec()))
        .flatten()
        .collect()
}

#[test]
fn compose_servers_trust_the_proxy_and_outlast_its_keep_alive() {
    let file = YamlLoader::load_from_str(COMPOSE).unwrap().pop().unwrap();
    let proxy = file["services"]["proxy"]["networks"]["default"]["ipv4_address"].as_str().unwrap();
    let network = &file["networks"]["default"]["ipam"]["config"][0];
    let (prefix, own) = proxy.rsplit_once('.').unwrap();
    assert_eq!(network["subnet"].as_str(), Some(format!("{prefix}.0/24").as_str()));
    assert_eq!(network["ip_range"].as_str(), Some(format!("{prefix}.128/25").as_str()));
    assert!((2..128).contains(&own.parse::<u8>().unwrap()), "no other container can get the address of the proxy");
    for name in ["api-1", "api-2"] {
        let environment = merged(&file["services"][name], "environment");
        assert_eq!(environment["TIDINGS__HTTP__TRUSTED_PROXIES"].as_str(), Some(proxy), "{name}");
        let kept = environment["TIDINGS__HTTP__TIMEOUTS__KEEP_ALIVE"].as_str().unwrap();
        let kept: u32 = kept.strip_prefix("PT").and_then(|it| it.strip_suffix('S')).unwrap().parse().unwrap();
        let by_proxy: u32 = of_proxy("keepalive")[0].strip_suffix('s').unwrap().parse().unwrap();
        assert!(kept > by_proxy, "{name} closes connections after {kept} s, and the proxy after {by_proxy} s");
    }
    assert!(of_proxy("header_up").contains(&"-Forwarded"), "the proxy replaces the forwarding headers of clients");
}

#[test]
fn checks_advisories_weekly_and_in_no_build() {
    let workflow = YamlLoader::load_from_str(ADVISORIES).unwrap().pop().unwrap();
    let cron = workflow["on"]["schedule"][0]["cron"].as_str().unwrap();
    let fields: Vec<&str> = cron.split(' ').collect();
    assert_eq!((fields.len(), &fields[2..4]), (5, ["*", "*"].as_slice()), "{cron}");
    assert_ne!(fields[4], "*", "{cron} must name one day of the week");
    let steps = workflow["jobs"]["deny"]["steps"].as_vec().unwrap();
    let runs: Vec<&str> = steps.iter().filter_map(|step| step["run"].as_str()).collect();
    assert!(runs.contains(&"make deny"), "{runs:?}");
    let make = MAKEFILE.split("\n\n").find(|rule| rule.starts_with("deny:")).unwrap();
    assert!(make.ends_with("cargo deny check"), "`cargo deny check` must run all checks: {make}");
    let mut in_ci = CI.lines().filter(|line| !line.trim_start().starts_with('#'));
    assert!(
        !in_ci.any(|line| line.contains("advisories") || line.contains("make deny")),
        "builds must not check advisories"
    );
}

/// Returns the instructions of a Dockerfile, one per line.
fn instructions() -> Vec<(String, String)> {
    let joined = DOCKERFILE.replace("\\\n", " ");
    let lines = joined.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_once(' ').unwrap()).map(|(name, rest)| (name.to_owned(), rest.to_owned())).collect()
}

#[test]
fn the_image_has_two_stages_and_a_dedicated_user() {
    let instructions = instructions();
    let known = [
        "FROM",
        "ARG",
        "LABEL",
        "RUN",
        "WORKDIR",
        "COPY",
        "USER",
        "VOLUME",
        "ENV",
        "EXPOSE",
        "STOPSIGNAL",
        "ENTRYPOINT",
        "CMD",
    ];
    assert!(instructions.iter().all(|(name, _)| known.contains(&name.as_str())), "{instructions:?}");
    let of = |name: &str| instructions.iter().filter(|(it, _)| it == name).map(|(_, rest)| rest).collect::<Vec<_>>();
    assert_eq!(of("FROM").len(), 2);
    assert!(
        of("RUN")
            .iter()
            .any(|it| it.contains("cargo build --release --locked --package tidings-server --features jemalloc"))
    );
    assert_eq!((of("USER")[0].as_str(), of("STOPSIGNAL")[0].as_str()), ("10001:10001", "SIGTERM"));
    for variable in of("ENV").iter().flat_map(|it| it.split_whitespace()) {
        assert_known(variable.split('=').next().unwrap());
    }
    let list = |name: &str| serde_json::from_str::<Vec<String>>(of(name)[0]).unwrap();
    assert_eq!((list("ENTRYPOINT"), list("CMD")), (vec!["/usr/local/bin/tidings".into()], vec!["serve".into()]));
}

#[test]
fn the_unit_allows_the_program_only_its_folder() {
    let (mut section, mut entries) = (String::new(), Vec::new());
    for line in UNIT.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
            Some(name) => section = name.to_owned(),
            None => {
                let (name, value) = line.split_once('=').unwrap_or_else(|| panic!("{line} is not an entry"));
                assert!(name.chars().all(|it| it.is_ascii_alphanumeric()), "{line}");
                entries.push((section.clone(), name.to_owned(), value.to_owned()));
            }
        }
    }
    let sections: BTreeSet<&str> = entries.iter().map(|(section, ..)| section.as_str()).collect();
    assert_eq!(sections, BTreeSet::from(["Install", "Service", "Unit"]));
    let has = |name: &str, value: &str| entries.iter().any(|(_, it, is)| it == name && is == value);
    for (name, value) in [
        ("ExecStart", "/usr/local/bin/tidings serve"),
        ("DynamicUser", "yes"),
        ("ProtectSystem", "strict"),
        ("NoNewPrivileges", "yes"),
        ("CapabilityBoundingSet", ""),
        ("StateDirectory", "tidings"),
        ("Restart", "always"),
        ("KillSignal", "SIGTERM"),
        ("TimeoutStopSec", "30"),
    ] {
        assert!(has(name, value), "{name}={value}");
    }
    for (_, name, value) in &entries {
        if name == "Environment" {
            assert_known(value.split('=').next().unwrap());
        }
    }
}
