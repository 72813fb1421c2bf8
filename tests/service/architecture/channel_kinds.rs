//! The number of files that name a channel type. Only a connector may know its type.

use std::fs;
use std::path::{Path, PathBuf};

/// The maximum number of production files outside `crates/channels` that name a type: the list of types, the sandbox of
/// each workspace, the request body and the stored name.
const MOST: usize = 4;
const NAME: &str = "ChannelKind::";

/// Collects the production files below `folder` with their text, without the unit tests at their end.
pub(super) fn production_files(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).expect("the source folder is readable").map(Result::unwrap) {
        let path = entry.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if name == "tests" || name == "testing" || name.ends_with("_tests") {
            continue;
        }
        if path.is_dir() {
            production_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let production = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
            found.push((path, production));
        }
    }
}

/// Whether a line matches on a channel type.
fn matches_on_a_kind(line: &str) -> bool {
    line.trim_start().contains(NAME) && line.contains("=>")
}

#[test]
fn few_files_mention_a_channel_type() {
    let mut files = Vec::new();
    for name in super::ALLOWED.iter().map(|it| it.name).filter(|name| !["channels", "storage-suite"].contains(name)) {
        production_files(&PathBuf::from(super::CRATES).join(name).join("src"), &mut files);
    }
    assert!(files.len() > 500, "{} files were found", files.len());
    let naming: Vec<_> = files.iter().filter(|(_, text)| text.contains(NAME)).collect();
    let paths: Vec<_> = naming.iter().map(|(path, _)| path.display().to_string()).collect();
    assert!((1..=MOST).contains(&paths.len()), "ask the connector's `ChannelType` instead: {paths:#?}");
    for (path, text) in naming {
        let matching: Vec<_> = text.lines().filter(|line| matches_on_a_kind(line)).collect();
        assert_eq!(matching, Vec::<&str>::new(), "{}: channel types must not be matched", path.display());
    }
}

#[test]
fn recognises_a_match_on_a_type() {
    assert!(matches_on_a_kind("            ChannelKind::Sandbox => false,"));
    assert!(matches_on_a_kind("            (ChannelKind::Http, None) if wrong => {"));
    assert!(!matches_on_a_kind("            kind: ChannelKind::Sandbox,"));
}
