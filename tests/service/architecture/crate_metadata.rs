//! The metadata of each crate of the workspace, and its README.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

/// The maximum length of a README, in lines.
const MOST_LINES: usize = 80;
/// The categories in use, as crates.io names them: <https://crates.io/category_slugs>.
const CATEGORIES: &str = "asynchronous authentication command-line-utilities concurrency cryptography database \
    development-tools::profiling development-tools::testing external-ffi-bindings network-programming \
    parser-implementations simulation text-processing web-programming web-programming::http-client \
    web-programming::http-server";

/// Returns the missing and invalid fields of a package.
fn faults(package: &Value) -> Vec<&'static str> {
    let is_missing = |field: &&str| package[*field].as_str().is_none_or(str::is_empty);
    let mut faults: Vec<_> =
        ["description", "license", "readme", "rust_version"].into_iter().filter(is_missing).collect();
    let is_keyword = |text: &str| {
        let mut letters = text.chars();
        let begins_with_letter = letters.next().is_some_and(|first| first.is_ascii_alphabetic());
        begins_with_letter && text.len() <= 20 && letters.all(|it| it.is_ascii_alphanumeric() || it == '-' || it == '_')
    };
    let is_category = |text: &str| CATEGORIES.split(' ').any(|known| known == text);
    // crates.io accepts at most five of each.
    let is_list = |field: &str, is_valid: &dyn Fn(&str) -> bool| {
        let list = package[field].as_array().map(Vec::as_slice).unwrap_or_default();
        (1..=5).contains(&list.len()) && list.iter().all(|it| it.as_str().is_some_and(is_valid))
    };
    faults.extend((!is_list("keywords", &is_keyword)).then_some("keywords"));
    faults.extend((!is_list("categories", &is_category)).then_some("categories"));
    faults
}

/// Returns the packages of the workspace.
fn packages() -> Vec<Value> {
    let arguments = ["metadata", "--format-version", "1", "--locked", "--no-deps", "--manifest-path"];
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let output = Command::new(env!("CARGO")).args(arguments).arg(manifest).output().expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("the metadata is JSON");
    metadata["packages"].as_array().expect("a list of packages").clone()
}

#[test]
fn each_crate_has_complete_metadata_and_a_readme_of_one_page() {
    let packages = packages();
    assert_eq!(packages.len(), super::ALLOWED.len(), "crates of the workspace");
    for package in &packages {
        let folder = Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap();
        assert_eq!(faults(package), Vec::<&str>::new(), "Cargo.toml of {}", folder.display());
        let lines = fs::read_to_string(folder.join("README.md")).map_or(0, |text| text.lines().count());
        assert!((1..=MOST_LINES).contains(&lines), "README.md of {} has {lines} lines", folder.display());
    }
}

/// `tests/bin/lints` reports the lints of a library or program when it compiles its unit tests, and names the libraries
/// without unit tests.
#[test]
fn each_library_and_program_is_linted() {
    let script = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/bin").join(name);
        fs::read_to_string(path).expect("the script is readable")
    };
    let words_after = |text: &str, option: &str| -> Vec<String> {
        text.split(option).skip(1).filter_map(|it| it.split(' ').next()).map(|it| it.replace('-', "_")).collect()
    };
    let linted = words_after(&script("lints"), "--crate-name ");
    // `--lib` also compiles libraries with `test = false`.
    let excluded = words_after(&script("run-tests"), "--exclude ");
    let mut without_tests = Vec::new();
    for package in packages() {
        let targets = package["targets"].as_array().expect("a list of targets");
        for target in targets.iter().filter(|it| it["test"] != json!(true)) {
            match target["kind"][0].as_str().expect("the kind is a text") {
                "lib" => without_tests.push(target["name"].as_str().expect("the name is a text").replace('-', "_")),
                "bin" => panic!("`test = false` of a program in {}", package["manifest_path"]),
                _ => {}
            }
        }
    }
    assert_eq!(without_tests, linted, "the libraries without unit tests, and those that tests/bin/lints names");
    assert_eq!(
        without_tests, excluded,
        "the libraries without unit tests, and those that tests/bin/run-tests excludes"
    );
}

/// `tests/bin/run-tests` names the test programs that it runs: the two of the server, and each file in the folder
/// `tests` of a crate.
#[test]
fn each_test_program_is_run() {
    for package in &packages() {
        let folder = Path::new(package["manifest_path"].as_str().unwrap()).parent().unwrap().join("tests");
        for target in package["targets"].as_array().unwrap().iter().filter(|it| it["kind"][0] == "test") {
            let (name, path) = (target["name"].as_str().unwrap(), Path::new(target["src_path"].as_str().unwrap()));
            let is_file = path.parent() == Some(&*folder) && path.file_stem().is_some_and(|stem| stem == name);
            assert!(is_file || ["service", "under_load"].contains(&name), "{name} is not run");
        }
    }
}

#[test]
fn reports_missing_and_invalid_fields() {
    let package = json!({"description": "", "license": "MIT", "keywords": ["2d"], "categories": ["tools"]});
    assert_eq!(faults(&package), ["description", "readme", "rust_version", "keywords", "categories"]);
}
