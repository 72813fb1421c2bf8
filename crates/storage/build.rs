//! Embeds the texts of the migrations and baselines of both databases as constants. Diesel embeds migrations but does
//! not return their texts.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let trees = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../../migrations");
    println!("cargo::rerun-if-changed={}", trees.display());
    let mut table = String::new();
    for (constant, tree) in [("POSTGRES", "postgres"), ("SQLITE", "sqlite")] {
        let (migrations, baseline) = (rows(&trees.join(tree))?, parts(&trees.join("baseline").join(tree))?);
        let texts = format!("migrations: &[{migrations}], baseline: concat!({baseline})");
        writeln!(table, "pub(crate) const {constant}: Tree = Tree {{ {texts} }};")?;
    }
    fs::write(PathBuf::from(env::var("OUT_DIR")?).join("migration_texts.rs"), table)?;
    Ok(())
}

/// Returns a row for each migration in order: its name and its text.
fn rows(tree: &Path) -> Result<String, Box<dyn Error>> {
    let folders = fs::read_dir(tree)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, std::io::Error>>()?;
    let mut files: Vec<_> = folders.into_iter().map(|folder| folder.join("up.sql")).filter(|it| it.exists()).collect();
    files.sort();
    let mut rows = String::new();
    for file in files {
        let name = file.parent().and_then(Path::file_name).and_then(|name| name.to_str());
        let name = name.ok_or_else(|| format!("{} has no name", file.display()))?;
        write!(rows, "({name:?}, include_str!({:?})), ", file.canonicalize()?)?;
    }
    Ok(rows)
}

/// Returns the texts of the parts of a baseline, ordered by name.
fn parts(folder: &Path) -> Result<String, Box<dyn Error>> {
    let parts = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut parts = parts.collect::<Result<Vec<_>, std::io::Error>>()?;
    parts.sort();
    let mut texts = String::new();
    for part in parts {
        write!(texts, "include_str!({:?}), \"\\n\", ", part.canonicalize()?)?;
    }
    Ok(texts)
}
