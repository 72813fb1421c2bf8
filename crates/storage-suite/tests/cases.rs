//! Checks that the table contains every case of the source files.
#![expect(clippy::expect_used, reason = "a test's helpers")]

use std::fs;
use std::path::{Path, PathBuf};

/// The source of the table.
const TABLE: &str = include_str!("../src/cases/mod.rs");

/// Returns the cases of the table. Each name has its own line.
fn listed() -> Vec<&'static str> {
    let names = TABLE.lines().filter_map(|line| line.strip_prefix("        ")?.strip_suffix(','));
    names.filter(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')).collect()
}

/// Returns the cases in a source file: public async functions with the store as their only parameter.
fn cases_of(source: &str) -> Vec<String> {
    let functions = source.split("\npub async fn ").skip(1).filter_map(|function| function.split_once('('));
    let of_a_store = functions.filter(|(_, behind)| {
        let parameters = behind.split(')').next().unwrap_or_default().trim().trim_end_matches(',');
        !parameters.contains(',') && parameters.ends_with(": Ports")
    });
    of_a_store.map(|(name, _)| name.to_owned()).collect()
}

/// Returns every source file of the crate.
fn sources() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry of the folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                sources.push(path);
            }
        }
    }
    sources
}

#[test]
fn the_table_contains_every_case() {
    let (listed, mut written) = (listed(), 0);
    for path in sources() {
        for case in cases_of(&fs::read_to_string(&path).unwrap()) {
            assert!(listed.contains(&case.as_str()), "{}: {case} is not in the table of cases", path.display());
            written += 1;
        }
    }
    assert_eq!(written, listed.len(), "the table contains only cases of the source files");
}

#[test]
fn a_case_is_a_public_function_with_only_a_store() {
    let source = [
        "//! Cases.",
        "pub async fn one(store: Ports) {",
        "pub async fn two(",
        "    ports: Ports,",
        ") {",
        "pub async fn of_a_file(url: &str) {",
        "pub async fn of_a_store_and_more(store: Ports, read: impl AsyncFn(Ports)) {",
        "pub(crate) async fn inner(store: Ports) {",
        "async fn private(store: Ports) {",
        "    pub async fn method(store: Ports) {",
    ];
    assert_eq!(cases_of(&source.join("\n")), ["one", "two"]);
}
