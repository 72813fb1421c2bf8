//! Each change of a stored object that increments its version also sets the time of its last update.

use std::path::PathBuf;

use super::channel_kinds::production_files;

/// The number of lines before and after an increment that may set the time.
const NEAR: usize = 9;
/// Files whose versions belong to rows without a time of their last update, or count the uses of a file.
const WITHOUT_TIME: &[&str] =
    &["webhooks/health.rs", "channels/health.rs", "conversations/media.rs", "conversations/expiry.rs"];

/// Whether a line increments the version of an object.
fn increments_a_version(line: &str) -> bool {
    line.contains("version += 1")
        || line.contains("version + 1") && (line.contains("version: ") || line.contains("version.eq("))
}

/// Returns the numbers of the lines that increment a version, with no time beside them.
fn increments_without_a_time(text: &str) -> Vec<usize> {
    let lines: Vec<&str> = text.lines().collect();
    let is_near = |number: usize| {
        let mut near = lines.iter().take(number + NEAR + 1).skip(number.saturating_sub(NEAR));
        near.any(|line| line.contains("updated_at"))
    };
    let increments = lines.iter().enumerate().filter(|(_, line)| increments_a_version(line));
    increments.map(|(number, _)| number).filter(|number| !is_near(*number)).map(|number| number + 1).collect()
}

#[test]
fn every_new_version_has_a_new_time() {
    let (mut files, mut increments) = (Vec::new(), 0);
    for name in ["domain", "storage"] {
        production_files(&PathBuf::from(super::CRATES).join(name).join("src"), &mut files);
    }
    for (path, text) in &files {
        increments += text.lines().filter(|line| increments_a_version(line)).count();
        if !WITHOUT_TIME.iter().any(|file| path.ends_with(file)) {
            let missing = increments_without_a_time(text);
            assert!(missing.is_empty(), "{}: set `updated_at` with the version, in lines {missing:?}", path.display());
        }
    }
    assert!(increments > 50, "{increments} increments were found");
}

#[test]
fn recognises_an_increment_without_a_time() {
    let far = "\n".repeat(2 * NEAR);
    let text =
        format!("run.version += 1;{far}it.updated_at = now;\nit.version += 1;{far}runs::version.eq(runs::version + 1)");
    assert_eq!(increments_without_a_time(&text), [1, 4 * NEAR + 2]);
    assert!(!increments_a_version("if stored.version + 1 == version {"));
}
