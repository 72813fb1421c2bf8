//! Tests the packed crate in a program outside the workspace. The program, its dependencies and its output are in
//! `docs/how-to/embed-the-domain-crate.md`.
//!
//! The test needs no network: the lock file of the workspace names dependencies that the build of the workspace
//! fetched.
#![expect(clippy::expect_used, reason = "a test's helpers")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// Crates that an embedding program must not build.
const UNWANTED: &[&str] =
    &["tokio", "diesel", "actix", "reqwest", "ring", "hyper", "mockall", "utoipa", "libsqlite3-sys"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace exists")
}

/// Returns the block of this language in the document.
fn block<'d>(document: &'d str, language: &str) -> &'d str {
    let (_, rest) =
        document.split_once(&format!("```{language}\n")).expect("the document has a block of this language");
    rest.split_once("```").expect("the block ends").0
}

/// Writes the debug profile of the workspace as a configuration file. With it, cargo reuses the built dependencies.
fn profile(folder: &Path) -> PathBuf {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("the workspace has a manifest");
    let from = manifest.find("[profile.dev]").expect("the manifest has a debug profile");
    let to = manifest.find("[profile.release]").expect("the manifest has a release profile");
    let path = folder.join("profile.toml");
    std::fs::write(&path, manifest.get(from..to).expect("the profiles are in order")).expect("the file is written");
    path
}

/// Runs cargo in a folder, and returns its output.
fn cargo(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(folder).args(arguments);
    // Disables the compiler wrapper that lints the workspace's own crates.
    command.env_remove("RUSTC_WORKSPACE_WRAPPER");
    let done = command.output().expect("cargo runs");
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(done.status.success(), "cargo {arguments:?}\n{}\n{}", said(&done.stdout), said(&done.stderr));
    said(&done.stdout)
}

/// The domain crate, and the crates of the workspace that it uses.
const PACKAGES: [&str; 3] = ["tidings-domain", "tidings-read", "tidings-tables"];

/// Packs the crates and unpacks them.
fn packed(folder: &Path) -> [PathBuf; 3] {
    let target = folder.join("pack");
    // A lock file would require the other crates in a registry. The lock file of the workspace is used instead.
    let arguments = ["package", "--offline", "--locked", "--no-verify", "--allow-dirty", "--exclude-lockfile"];
    let packages = PACKAGES.map(|name| ["--package", name]).concat();
    let target_dir = ["--target-dir", target.to_str().expect("the path is UTF-8")];
    cargo(&root(), &[&arguments[..], &packages[..], &target_dir].concat());
    PACKAGES.map(|name| unpacked(folder, &target.join("package"), name))
}

/// Unpacks the archive of one crate.
fn unpacked(folder: &Path, archives: &Path, name: &str) -> PathBuf {
    let name = format!("{name}-{}", env!("CARGO_PKG_VERSION"));
    let archive = archives.join(format!("{name}.crate"));
    let (unpacked, last) = (folder.join(&name), folder.join(format!("{name}.unpacked")));
    let packed = std::fs::read(&archive).expect("the archive exists");
    // An unchanged archive was already built.
    if std::fs::read(&last).ok().as_ref() != Some(&packed) || !unpacked.exists() {
        std::fs::remove_dir_all(&unpacked).ok();
        // Sets the current time. Otherwise cargo would reuse the earlier build.
        let tar = Command::new("tar").arg("xzmf").arg(archive).arg("-C").arg(folder).status().expect("tar runs");
        assert!(tar.success());
        std::fs::write(last, packed).expect("the file is written");
    }
    unpacked
}

#[test]
fn a_program_outside_the_workspace_runs_as_documented() {
    let document =
        std::fs::read_to_string(root().join("docs/how-to/embed-the-domain-crate.md")).expect("the document exists");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside");
    let program = folder.join("program");
    std::fs::create_dir_all(program.join("src")).expect("the folder is created");
    let [domain, read, tables] = packed(&folder);

    let dependencies =
        block(&document, "toml").replace("../tidings/crates/domain", domain.to_str().expect("the path is UTF-8"));
    assert!(dependencies.contains("tidings-domain-"), "the document uses the crate by its path: {dependencies}");
    let manifest = format!("[workspace]\n[package]\nname = \"program\"\nedition = \"2024\"\n{dependencies}");
    // Uses the other crates by their paths instead of a registry.
    let patched = format!("tidings-read = {{ path = {read:?} }}\ntidings-tables = {{ path = {tables:?} }}\n");
    let manifest = format!("{manifest}\n[patch.crates-io]\n{patched}");
    std::fs::write(program.join("Cargo.toml"), manifest).expect("the file is written");
    std::fs::write(program.join("src/main.rs"), block(&document, "rust")).expect("the file is written");
    std::fs::copy(root().join("Cargo.lock"), program.join("Cargo.lock")).expect("the lock file is copied");

    let tree = cargo(&program, &["tree", "--offline", "--edges", "normal", "--prefix", "none"]);
    assert!(tree.contains("tidings-domain v"), "{tree}");
    let unwanted = |line: &&str| UNWANTED.iter().any(|name| line.starts_with(name));
    assert_eq!(tree.lines().filter(unwanted).collect::<Vec<_>>(), [""; 0]);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().and_then(Path::to_str).expect("the path is UTF-8");
    let profile = profile(&folder);
    let config = profile.to_str().expect("the path is UTF-8");
    let run = ["run", "--offline", "--quiet", "--target-dir", target, "--config", config];
    assert_eq!(cargo(&program, &run), block(&document, "text"));
}
