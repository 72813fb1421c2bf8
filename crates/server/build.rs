//! Records the commit in release builds, for `--version`, the metrics and bug reports. In development it is `unknown`,
//! because a commit must not cause a build.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The number of digits of the commit.
const DIGITS: usize = 12;

fn main() {
    println!("cargo:rerun-if-env-changed=TIDINGS_COMMIT");
    println!("cargo:rerun-if-changed=build.rs");
    let is_release = env::var("PROFILE").is_ok_and(|it| it == "release");
    let given = env::var("TIDINGS_COMMIT").ok().filter(|it| !it.is_empty());
    let commit = given.or_else(|| is_release.then(checked_out).flatten()).unwrap_or_else(|| "unknown".to_owned());
    let commit: String = commit.chars().filter(char::is_ascii_alphanumeric).take(DIGITS).collect();
    println!("cargo:rustc-env=TIDINGS_COMMIT={commit}");
}

/// Returns the commit of the working copy, or `None` without one.
fn checked_out() -> Option<String> {
    let git = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.git");
    let read = |path: PathBuf| {
        println!("cargo:rerun-if-changed={}", path.display());
        fs::read_to_string(path).ok()
    };
    let head = read(git.join("HEAD"))?;
    // Each commit and each checkout adds a line to this file, wherever the reference itself is stored.
    println!("cargo:rerun-if-changed={}", git.join("logs/HEAD").display());
    let Some(reference) = head.trim().strip_prefix("ref: ") else { return Some(head.trim().to_owned()) };
    if let Ok(commit) = fs::read_to_string(git.join(reference)) {
        return Some(commit.trim().to_owned());
    }
    let packed = read(git.join("packed-refs"))?;
    packed.lines().find_map(|line| line.strip_suffix(reference)?.strip_suffix(' ').map(str::to_owned))
}
