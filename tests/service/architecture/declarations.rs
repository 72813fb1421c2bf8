//! The number of production files that name a sample of each kind of declaration. A test fails if a declaration needs
//! another file. Migrations do not count: each database has its own.

use std::fs;
use std::path::Path;

use super::channel_kinds::production_files;

/// A sample of a kind of declaration.
struct Sample {
    kind: &'static str,
    /// Its names in Rust, in SQL and in API paths.
    names: &'static [&'static str],
    /// The maximum number of files.
    most: usize,
    /// A module for the sample alone. Its parts count as one file.
    module: Option<&'static str>,
}

const SAMPLES: [Sample; 6] = [
    // Seven files declare the object and its use cases, four its routes, three its table.
    Sample {
        kind: "an object that refers to others",
        names: &["SavedRepl", "saved_repl", "saved-repl"],
        most: 14,
        module: None,
    },
    // The declaration, its effect in memory, its statement, and the use case.
    Sample { kind: "a change", names: &["SweepValues"], most: 4, module: None },
    // The table of jobs, and the use case that queues it.
    Sample { kind: "a job", names: &["SweepField"], most: 2, module: None },
    // Its row, form and type, its columns in tables, and its column in the store with its query.
    Sample { kind: "an attribute of contacts", names: &["AvatarUrl", "avatar_url"], most: 9, module: None },
    // The table of events, its example, and the use case.
    Sample { kind: "an event", names: &["SequenceCompleted"], most: 3, module: None },
    // Its word, its place in the lists of connectors, and its module.
    Sample { kind: "a connector", names: &["Telegram"], most: 3, module: Some("channels/src/telegram") },
];

impl Sample {
    fn is_mentioned_in(&self, text: &str) -> bool {
        self.names.iter().any(|name| text.contains(name))
    }

    /// Whether the file is a part of the module of the sample, such as `telegram.rs` or `telegram/api.rs`.
    fn contains(&self, path: &Path) -> bool {
        self.module.is_some_and(|module| path.ancestors().any(|it| it.with_extension("").ends_with(module)))
    }
}

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
    for sample in &SAMPLES {
        let naming = files.iter().filter(|(_, text)| sample.is_mentioned_in(text)).map(|(path, _)| path);
        let (own, others): (Vec<_>, Vec<_>) = naming.partition(|path| sample.contains(path));
        let count = others.len() + usize::from(!own.is_empty());
        let found = others.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join("\n");
        let Sample { kind, names, most, module } = sample;
        assert_eq!(own.is_empty(), module.is_none(), "no file of the module {module:?} names {kind} ({names:?})");
        assert!((2..=*most).contains(&count), "{count} files name {kind} ({names:?}), with {module:?}:\n{found}");
    }
}

#[test]
fn a_module_contains_its_parts() {
    let sample = Sample { kind: "a connector", names: &[], most: 0, module: Some("channels/src/telegram") };
    for (path, is_part) in [
        ("../channels/src/telegram.rs", true),
        ("../channels/src/telegram/api.rs", true),
        ("../channels/src/lib.rs", false),
        ("../channels/src/telegram_like.rs", false),
        ("../http/src/telegram.rs", false),
    ] {
        assert_eq!(sample.contains(Path::new(path)), is_part, "{path}");
    }
}
