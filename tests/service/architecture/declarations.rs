//! The number of production files that name a sample of each kind of declaration. A test fails if a declaration needs
//! another file. Migrations do not count: each database has its own.

use std::fs;

use super::channel_kinds::production_files;

/// A sample of a kind of declaration.
struct Sample {
    kind: &'static str,
    /// Its names in Rust, in SQL and in API paths.
    names: &'static [&'static str],
    /// The maximum number of files.
    most: usize,
}

const SAMPLES: [Sample; 5] = [
    // Seven files declare the object and its use cases, four its routes, three its table.
    Sample { kind: "an object that refers to others", names: &["SavedRepl", "saved_repl", "saved-repl"], most: 14 },
    // The declaration, its effect in memory, its statement, and the use case.
    Sample { kind: "a change", names: &["SweepValues"], most: 4 },
    // The table of jobs, and the use case that queues it.
    Sample { kind: "a job", names: &["SweepField"], most: 2 },
    // Its row, form and type, its columns in tables, and its column in the store with its query.
    Sample { kind: "an attribute of contacts", names: &["AvatarUrl", "avatar_url"], most: 9 },
    // The table of events, its example, and the use case.
    Sample { kind: "an event", names: &["SequenceCompleted"], most: 3 },
];

#[test]
fn few_files_mention_a_declaration() {
    let mut files = Vec::new();
    for entry in fs::read_dir(super::CRATES).expect("the folder of crates is readable").map(Result::unwrap) {
        let source = entry.path().join("src");
        if source.is_dir() && entry.file_name() != "storage-suite" {
            production_files(&source, &mut files);
        }
    }
    assert!(files.len() > 500, "{} files were found", files.len());
    for Sample { kind, names, most } in SAMPLES {
        let mentions = |text: &str| names.iter().any(|name| text.contains(name));
        let paths: Vec<_> = files.iter().filter(|(_, text)| mentions(text)).map(|(path, _)| path.display()).collect();
        let found = paths.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        assert!((2..=most).contains(&paths.len()), "{} files name {kind} ({names:?}):\n{found}", paths.len());
    }
}
