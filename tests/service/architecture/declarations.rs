//! The number of production files that name a simple object. The test fails if an object needs another file.

use std::fs;
use std::path::{Path, PathBuf};

/// The names of the sample object in Rust, in SQL and in API paths.
const SAMPLE: [&str; 3] = ["SavedRepl", "saved_repl", "saved-repl"];
/// The maximum. Four files are migrations, five are the object itself.
const MOST_FILES: usize = 19;

#[test]
fn few_files_mention_a_simple_object() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let crates =
        fs::read_dir(root.join("crates")).expect("the folder of crates is readable").map(|entry| entry.unwrap().path());
    let mut folders: Vec<PathBuf> =
        crates.filter(|path| !path.ends_with("storage-suite")).map(|path| path.join("src")).collect();
    folders.push(root.join("migrations"));
    let mut naming = Vec::new();
    folders.retain(|folder| folder.is_dir());
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(&folder).expect("the source folder is readable").map(|entry| entry.unwrap().path()) {
            let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            // The baseline repeats the earlier migrations.
            let is_left_out = name == "tests" || name.ends_with("_tests") || name == "baseline";
            if path.is_dir() && !is_left_out {
                folders.push(path);
            } else if !is_left_out && path.extension().is_some_and(|it| it == "rs" || it == "sql") {
                let text = fs::read_to_string(&path).unwrap();
                naming.extend(SAMPLE.iter().any(|it| text.contains(it)).then_some(path));
            }
        }
    }
    naming.sort();
    assert!((10..=MOST_FILES).contains(&naming.len()), "{} files name a saved reply: {naming:#?}", naming.len());
}
