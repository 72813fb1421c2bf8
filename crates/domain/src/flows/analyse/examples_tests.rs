//! Tests of the wrong examples in the documentation: each has exactly the finding in its name.

use std::collections::BTreeSet;

use serde_json::Value;

use super::workspace_tests::acme;
use super::*;

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs");

/// Returns the examples by file name.
fn examples() -> Vec<(String, Value)> {
    let folder = std::fs::read_dir(format!("{DOCS}/examples/wrong")).expect("the folder exists");
    let mut examples: Vec<(String, Value)> = folder
        .map(|entry| {
            let path = entry.expect("the entry is readable").path();
            let text = std::fs::read_to_string(&path).expect("the file is text");
            let name = path.file_stem().expect("the file has a name").to_string_lossy().into_owned();
            (name, serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}")))
        })
        .collect();
    examples.sort_by(|one, other| one.0.cmp(&other.0));
    examples
}

/// Returns the expected code: the name up to `-`, which separates several examples of one code.
fn code(name: &str) -> &str {
    name.split('-').next().unwrap_or(name)
}

#[test]
fn each_invalid_example_yields_the_finding_in_its_name() {
    let known = acme();
    // This finding comes from simulations; the API tests cover it.
    for (name, body) in examples().into_iter().filter(|(name, _)| code(name) != "expectation_failed") {
        let findings = analyse(&body["definition"], &known).findings;
        let codes: Vec<&str> = findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [code(&name)], "{name}: {findings:#?}");
        let finding = &findings[0];
        let at = body["definition"].pointer(&finding.pointer);
        assert!(at.is_some() || ["required", "dead_end"].contains(&finding.code), "{name}: {}", finding.pointer);
        // Messages of the parser name the expected value.
        let helps = finding.hint.is_some() || !finding.did_you_mean.is_empty() || finding.message.contains("expected");
        assert!(helps, "{name} has no hint: {}", finding.message);
        assert!(!finding.message.is_empty() && body["name"].is_string());
    }
}

#[test]
fn documented_findings_and_examples_match() {
    let told = std::fs::read_to_string(format!("{DOCS}/reference/flows.md")).expect("the document exists");
    let chapter = told.split("## Validation findings").nth(1).expect("the chapter exists");
    let rows = chapter.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let told: BTreeSet<String> = rows.map(ToOwned::to_owned).collect();
    let shown: BTreeSet<String> = examples().iter().map(|(name, _)| code(name).to_owned()).collect();
    assert_eq!(told, shown);
}
