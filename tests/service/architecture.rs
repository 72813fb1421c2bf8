//! The allowed dependencies between crates, checked against cargo's resolution, and between files of a crate: no
//! cycles.
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use circles::Crate;

mod channel_kinds;
mod circles;
mod crate_metadata;
mod declarations;
mod versions;

/// The crates of this repository that a crate may depend on: in production, and additionally in tests.
struct Allowed {
    name: &'static str,
    normal: &'static [&'static str],
    in_tests: &'static [&'static str],
}

/// The table of allowed dependencies.
const ALLOWED: &[Allowed] = &[
    Allowed { name: "tables", normal: &[], in_tests: &[] },
    Allowed { name: "read", normal: &[], in_tests: &[] },
    Allowed { name: "domain", normal: &["read", "tables"], in_tests: &[] },
    Allowed { name: "egress", normal: &[], in_tests: &[] },
    Allowed { name: "sqlite-interrupt", normal: &[], in_tests: &[] },
    Allowed { name: "storage", normal: &["domain", "sqlite-interrupt"], in_tests: &["storage-suite"] },
    Allowed { name: "storage-suite", normal: &["domain"], in_tests: &[] },
    Allowed { name: "webhook-sender", normal: &["domain", "egress"], in_tests: &[] },
    Allowed { name: "channels", normal: &["domain", "egress"], in_tests: &[] },
    Allowed { name: "credentials", normal: &["domain"], in_tests: &[] },
    Allowed { name: "engine", normal: &["domain"], in_tests: &[] },
    Allowed { name: "http", normal: &["domain"], in_tests: &[] },
    Allowed { name: "limits-redis", normal: &["domain"], in_tests: &[] },
    Allowed { name: "panel", normal: &[], in_tests: &[] },
    Allowed { name: "guide", normal: &[], in_tests: &[] },
    Allowed {
        name: "server",
        normal: &[
            "domain",
            "storage",
            "egress",
            "webhook-sender",
            "channels",
            "credentials",
            "engine",
            "http",
            "limits-redis",
            "panel",
            "guide",
        ],
        in_tests: &["storage-suite"],
    },
    // It calls the running program, and shares its IDs and its signature verification.
    Allowed { name: "bench", normal: &["domain", "egress"], in_tests: &[] },
];

/// Crates that a crate may not depend on in production, directly or indirectly.
const FORBIDDEN: &[(&str, &[&str])] = &[
    (
        "domain",
        &["tokio", "diesel", "diesel-async", "actix-web", "reqwest", "ring", "config", "libsqlite3-sys", "redis"],
    ),
    ("http", &["diesel", "diesel-async", "reqwest", "libsqlite3-sys", "config", "redis"]),
    ("engine", &["diesel", "diesel-async", "reqwest", "libsqlite3-sys", "actix-web", "config", "redis"]),
    ("limits-redis", &["diesel", "diesel-async", "actix-web", "reqwest", "libsqlite3-sys", "config"]),
    ("panel", &["tokio", "diesel", "actix-web", "reqwest", "serde", "config"]),
    ("storage", &["actix-web", "reqwest", "config"]),
    ("storage-suite", &["diesel", "diesel-async", "actix-web", "reqwest", "config"]),
    ("egress", &["diesel", "diesel-async", "actix-web", "config"]),
    ("webhook-sender", &["diesel", "diesel-async", "actix-web", "config"]),
    ("channels", &["diesel", "diesel-async", "actix-web", "config"]),
    ("credentials", &["tokio", "diesel", "diesel-async", "actix-web", "reqwest", "config"]),
    // No libpq, OpenSSL, aws-lc or cmake: a build needs only Rust, a C compiler and make.
    ("server", &["pq-sys", "openssl-sys", "aws-lc-sys", "cmake"]),
];

const OURS: &str = "tidings-";
const CRATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const DOMAIN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../domain/src");

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Normal,
    Test,
    Build,
}

/// Package name → the packages that it depends on.
type Graph = BTreeMap<String, BTreeSet<(String, Kind)>>;

fn resolved() -> Graph {
    let host = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let host = String::from_utf8(host.stdout).unwrap();
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc names its host");
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let arguments = ["metadata", "--format-version", "1", "--locked", "--filter-platform", host, "--manifest-path"];
    let output = Command::new(env!("CARGO")).args(arguments).arg(manifest).output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    graph(&serde_json::from_slice(&output.stdout).unwrap())
}

fn graph(metadata: &Value) -> Graph {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages = list(&metadata["packages"]);
    let names: BTreeMap<String, String> = packages.iter().map(|it| (text(&it["id"]), text(&it["name"]))).collect();
    let mut graph = Graph::new();
    for node in list(&metadata["resolve"]["nodes"]) {
        let edges = graph.entry(names[&text(&node["id"])].clone()).or_default();
        for dependency in list(&node["deps"]) {
            for kind in list(&dependency["dep_kinds"]) {
                let kind = match kind["kind"].as_str() {
                    None => Kind::Normal,
                    Some("dev") => Kind::Test,
                    Some(_) => Kind::Build,
                };
                edges.insert((names[&text(&dependency["pkg"])].clone(), kind));
            }
        }
    }
    graph
}

/// Returns every dependency between crates of this repository that the table does not allow.
fn broken_edges(graph: &Graph) -> Vec<String> {
    let mut broken = Vec::new();
    for (from, edges) in graph {
        let Some(from) = from.strip_prefix(OURS) else { continue };
        let Some(allowed) = ALLOWED.iter().find(|it| it.name == from) else {
            broken.push(format!("{from} stands in no row of the table"));
            continue;
        };
        for (to, kind) in edges {
            let Some(to) = to.strip_prefix(OURS) else { continue };
            let in_tests = *kind == Kind::Test && allowed.in_tests.contains(&to);
            if !allowed.normal.contains(&to) && !in_tests {
                broken.push(format!("{from} -> {to} ({kind:?})"));
            }
        }
    }
    broken
}

/// Returns every path from a crate of this repository to a forbidden crate.
fn forbidden_ways(graph: &Graph) -> Vec<String> {
    let mut found = Vec::new();
    for (from, forbidden) in FORBIDDEN {
        let start = format!("{OURS}{from}");
        let mut ways = BTreeMap::from([(start.clone(), start.clone())]);
        let mut next = vec![start];
        while let Some(package) = next.pop() {
            for (to, kind) in graph.get(&package).into_iter().flatten() {
                if *kind == Kind::Normal && !ways.contains_key(to) {
                    ways.insert(to.clone(), format!("{} -> {to}", ways[&package]));
                    next.push(to.clone());
                }
            }
        }
        found.extend(forbidden.iter().filter_map(|name| ways.get(*name).cloned()));
    }
    found
}

#[test]
fn crates_depend_only_on_allowed_crates() {
    let graph = resolved();
    assert_eq!(broken_edges(&graph), Vec::<String>::new(), "dependencies that the table does not allow");
    for Allowed { name, .. } in ALLOWED {
        assert!(graph.contains_key(&format!("{OURS}{name}")), "{name} is in the table but does not exist");
    }
}

#[test]
fn crates_ship_no_forbidden_dependencies() {
    assert_eq!(forbidden_ways(&resolved()), Vec::<String>::new());
}

#[test]
fn allows_unsafe_code_only_in_one_small_crate() {
    const UNSAFE: &str = "sqlite-interrupt";
    for Allowed { name, .. } in ALLOWED.iter().filter(|it| it.name != UNSAFE) {
        let manifest = fs::read_to_string(PathBuf::from(CRATES).join(name).join("Cargo.toml")).unwrap();
        assert!(
            manifest.contains("[lints]\nworkspace = true"),
            "{name} must use the lints of the workspace, which forbid unsafe code"
        );
    }
    let source = fs::read_to_string(PathBuf::from(CRATES).join(UNSAFE).join("src/lib.rs")).unwrap();
    assert!(source.lines().count() < 100, "{UNSAFE} is no longer small");
}

#[test]
fn models_of_the_domain_use_no_ports() {
    let (mut folders, mut models) = (vec![PathBuf::from(DOMAIN)], 0);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the source folder is readable").map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.ends_with("model.rs") || folder.ends_with("model") {
                let text = fs::read_to_string(&path).unwrap();
                let named: Vec<&str> = text.lines().filter(|line| line.contains("ports::")).collect();
                assert_eq!(named, Vec::<&str>::new(), "{}: a model must not use ports", path.display());
                models += 1;
            }
        }
    }
    assert!(models >= 9, "{models} models were found");
}

#[test]
fn names_the_edge_that_breaks_a_rule() {
    let edge = |name: &str, kind| (name.to_owned(), kind);
    let graph = Graph::from([
        ("tidings-domain".to_owned(), BTreeSet::from([edge("serde", Kind::Normal), edge("mockall", Kind::Test)])),
        ("tidings-http".to_owned(), BTreeSet::from([edge("tidings-storage", Kind::Test)])),
        ("tidings-storage".to_owned(), BTreeSet::from([edge("tidings-storage-suite", Kind::Normal)])),
        ("tidings-new".to_owned(), BTreeSet::new()),
        ("serde".to_owned(), BTreeSet::from([edge("tokio", Kind::Normal), edge("ring", Kind::Build)])),
        ("mockall".to_owned(), BTreeSet::from([edge("config", Kind::Normal)])),
    ]);
    let broken = ["http -> storage (Test)", "new stands in no row of the table", "storage -> storage-suite (Normal)"];
    assert_eq!(broken_edges(&graph), broken);
    assert_eq!(forbidden_ways(&graph), ["tidings-domain -> serde -> tokio"]);
}

#[test]
fn files_of_a_crate_have_no_dependency_cycles() {
    for Allowed { name, .. } in ALLOWED {
        let circles = Crate::read(&PathBuf::from(CRATES).join(name).join("src")).circles();
        assert_eq!(circles, circles::Circles::new(), "{name} has dependency cycles between files");
    }
}

#[test]
fn names_the_files_of_a_cycle() {
    let circles = circles::of(&[
        ("", "mod a; mod b; mod c; pub use b::inner::Deep; #[cfg(test)] mod tests { use crate::c::C; }"),
        ("a", "use crate::Deep; /* crate::c::C */ const TEXT: &str = \"crate::c::C\"; fn a<'a>(it: &'a Deep) {}"),
        ("b", "mod inner; fn of_a_part() { inner::help(); }"),
        (
            "b/inner",
            "use {super::super::c as other, std::fmt}; pub struct Deep(other::C); fn up() { super::of_a_part() }",
        ),
        ("c", "pub struct C; #[cfg(test)] mod tests { use crate::a::A; } fn c() -> char { '\"' }"),
    ])
    .circles();
    assert_eq!(circles, circles::Circles::new(), "one-way dependencies and a module with its parts are allowed");

    let circles = circles::of(&[
        ("", "mod a; mod b; mod c; pub use b::inner::Deep;"),
        ("a", "fn a() { crate::Deep::new(); }"),
        ("b", "mod inner;"),
        ("b/inner", "use crate::{c::{self, C}, d}; pub struct Deep; fn inner() { c::help(); }"),
        ("c", "use super::a; fn c() { a::help(); }"),
    ])
    .circles();
    let named: Vec<String> = circles
        .iter()
        .flat_map(|(file, others)| others.iter().map(move |other| format!("{file} -> {other}")))
        .collect();
    assert_eq!(named, ["a -> b/inner", "b/inner -> c", "c -> a"]);
}
