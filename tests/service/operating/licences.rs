//! All linked crates have licences that only require attribution.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

fn allowed() -> BTreeSet<String> {
    let text = include_str!("../../../deny.toml");
    let list = text.split("\nallow = [").nth(1).unwrap().split("\n]").next().unwrap();
    let lines = list.lines().map(str::trim).filter(|line| line.starts_with('"'));
    lines.map(|line| line.trim_matches(['"', ',']).to_owned()).collect()
}

/// Whether the allowed licences satisfy an SPDX expression: one alternative of OR, all parts of AND. An exception only
/// adds permissions.
fn fulfilled(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let expression = expression.replace('/', " OR ");
    let expression = expression.trim();
    if let Some(parts) = split(expression, " OR ") {
        return parts.iter().any(|part| fulfilled(part, allowed));
    }
    if let Some(parts) = split(expression, " AND ") {
        return parts.iter().all(|part| fulfilled(part, allowed));
    }
    match expression.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
        Some(inner) => fulfilled(inner, allowed),
        None => allowed.contains(expression.split(" WITH ").next().unwrap()),
    }
}

/// Splits an expression at an operator outside parentheses; `None` if it has none.
fn split(expression: &str, operator: &str) -> Option<Vec<String>> {
    let (mut depth, mut parts, mut from) = (0_i32, Vec::new(), 0);
    for (at, byte) in expression.bytes().enumerate() {
        depth += i32::from(byte == b'(') - i32::from(byte == b')');
        if depth == 0 && at >= from && expression[at..].starts_with(operator) {
            parts.push(expression[from..at].to_owned());
            from = at + operator.len();
        }
    }
    (!parts.is_empty()).then(|| {
        parts.push(expression[from..].to_owned());
        parts
    })
}

#[test]
fn every_crate_has_an_allowed_licence() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
    let arguments = ["metadata", "--format-version", "1", "--all-features", "--locked", "--manifest-path", manifest];
    let output = Command::new(cargo).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let (allowed, packages) = (allowed(), metadata["packages"].as_array().unwrap());
    assert!(allowed.contains("MIT") && packages.len() > 100);
    let refused = packages.iter().filter(|it| !fulfilled(it["license"].as_str().unwrap_or_default(), &allowed));
    let refused: Vec<String> =
        refused.map(|it| format!("{} {}: {}", it["name"], it["version"], it["license"])).collect();
    assert!(refused.is_empty(), "{refused:#?}");
}

#[test]
fn evaluates_licence_expressions() {
    let allowed = BTreeSet::from(["MIT".to_owned(), "Apache-2.0".to_owned()]);
    for (expression, is) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("", false),
        ("MIT OR GPL-3.0", true),
        ("GPL-3.0/MIT", true),
        ("MIT AND GPL-3.0", false),
        ("(MIT OR GPL-3.0) AND Apache-2.0", true),
        ("(GPL-2.0 OR GPL-3.0) AND MIT", false),
        ("Apache-2.0 WITH LLVM-exception", true),
        ("Apache-2.0 WITH LLVM-exception OR GPL-3.0", true),
    ] {
        assert_eq!(fulfilled(expression, &allowed), is, "{expression}");
    }
}
