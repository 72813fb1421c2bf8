//! Lists the Markdown files of `docs`, so that a new page needs no entry anywhere but in the table of contents. Pages of one
//! line that link to a new place are left out.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The text of a page that has moved.
const MOVED: &str = "This page moved to ";

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let mut files = vec![root.join("CHANGELOG.md")];
    find(&root.join("docs"), &mut files)?;
    files.sort();
    println!("cargo:rerun-if-changed={}", root.join("docs").display());
    println!("cargo:rerun-if-changed={}", root.join("CHANGELOG.md").display());
    let entry = |file: &PathBuf| {
        let name = file.strip_prefix(&root).unwrap_or(file).to_string_lossy().replace('\\', "/");
        format!("({name:?}, include_str!({:?})),\n", file.display())
    };
    let table = format!("&[\n{}]\n", files.iter().map(entry).collect::<String>());
    fs::write(Path::new(&env::var("OUT_DIR").map_err(io::Error::other)?).join("files.rs"), table)
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(|it| it == "md") && !fs::read_to_string(&path)?.contains(MOVED) {
            files.push(path);
        }
    }
    Ok(())
}
