//! The façade does not change by accident: `facade.txt` lists the items that semantic versioning covers, with their
//! fields, variants, functions and constants.
//!
//! If a change is intended, write the file again with `TEST_WRITE_FACADE=1`, review the difference, and describe it in
//! `docs/reference/upgrade-notes.md`. Removed and changed lines need a new major version (before 1.0: a new minor
//! version).
#![expect(clippy::expect_used, reason = "a test's helpers")]

use std::collections::BTreeSet;
use std::path::Path;

use source::{OtherCrate, Source};

#[path = "facade/source.rs"]
mod source;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/facade.txt");

/// The items of the façade at the root of the crate.
const ROOT: [&str; 4] = ["Error", "Tidings", "TidingsSettings", "Violation"];
/// The modules of the façade.
const MODULES: [&str; 3] = ["commands", "events", "views"];

/// Modules outside of the façade with similar names: a new job is no command.
const OUTSIDE: [&str; 2] = ["ports", "store"];

fn source() -> Source {
    let read = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../read/src"));
    let others = [OtherCrate { name: "tidings_read", folder: read }];
    Source::read(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &others)
}

/// Returns one line for each fact about the façade.
fn facade() -> BTreeSet<String> {
    let source = source();
    let mut lines = BTreeSet::new();
    let mut add = |prefix: &str, name: &str, facts: Vec<String>| {
        lines.extend(facts.into_iter().map(|fact| format!("{prefix}{name}{fact}")));
    };
    for name in ROOT {
        add("", name, source.facts(&[], name));
    }
    for module in MODULES {
        for name in source.exports(module) {
            add(&format!("{module}::"), name, source.facts(&[module], name));
        }
    }
    // The services are the types of the fields of `Tidings`.
    for field in source.facts(&[], "Tidings") {
        if let Some((_, service)) = field.rsplit_once(": ").filter(|(_, name)| name.ends_with("Service")) {
            add("", service, source.facts(&["tidings"], service));
        }
    }
    lines
}

#[test]
fn the_facade_does_not_change_by_accident() {
    let now = facade();
    if std::env::var_os("TEST_WRITE_FACADE").is_some() {
        let text = now.iter().fold(String::new(), |text, line| text + line + "\n");
        std::fs::write(FILE, text).expect("the file is written");
    }
    let before = std::fs::read_to_string(FILE).expect("the file is readable");
    let before: BTreeSet<_> = before.lines().map(str::to_owned).collect();
    let (removed, added): (Vec<_>, Vec<_>) = (before.difference(&now).collect(), now.difference(&before).collect());
    assert!(
        removed.is_empty() && added.is_empty(),
        "the façade changed. If that is intended, run this test with TEST_WRITE_FACADE=1.\nremoved: {removed:#?}\nadded: {added:#?}"
    );
}

#[test]
fn every_command_and_view_belongs_to_the_facade() {
    let source = source();
    let facade: BTreeSet<&str> = MODULES.iter().flat_map(|it| source.exports(it)).map(String::as_str).collect();
    let belongs = |name: &str| name.starts_with("New") || name.ends_with("Patch") || name.ends_with("View");
    let missing = source.names().filter(|(module, name)| {
        let is_known = OUTSIDE.contains(module) || facade.contains(name);
        belongs(name) && !is_known
    });
    // It exists only as a schema of the API.
    let schema = ("disclosure", "DisclosureView");
    assert_eq!(missing.collect::<Vec<_>>(), [schema], "`commands` or `views` in `src/lib.rs` must name these items");
}

#[test]
fn the_facade_lists_services_commands_and_views() {
    let lines = facade();
    for line in [
        "Tidings: struct, non-exhaustive",
        "Tidings.contacts: ContactService",
        "Tidings: fn new(ports:Ports)->Self",
        "Error::InvalidCursor",
        "commands::NewFlow.definition: Value",
        "commands::NewFlow: fn new(name:impl Into<String>,definition:Value)->Self",
        "commands::NewContact: from a macro",
        "commands::Patch::Set(T)",
        "events::Event.kind: EventKind",
        "views::TagView.name: String",
    ] {
        assert!(lines.contains(line), "{line}");
    }
    let create = lines.iter().find(|line| line.starts_with("ContactService: async fn create("));
    assert!(create.is_some_and(|line| line.contains("command:NewContact,")), "{create:?}");
    assert_eq!(lines.iter().find(|line| line.contains("strictly_mocked")), None, "the façade has no items of tests");
}
