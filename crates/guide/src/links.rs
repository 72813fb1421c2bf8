//! Addresses of pages, and links between files of the repository turned into links between pages.

use crate::{CONTENTS, FILES};

/// The file of an address: `how-to/upgrade` is `docs/how-to/upgrade.md`.
pub(crate) fn file_of(address: &str) -> Option<&'static str> {
    FILES.iter().map(|(file, _)| *file).find(|file| address_of(file) == address && *file != CONTENTS)
}

/// The address of a file below `/docs/guide/`, empty for the table of contents.
pub(crate) fn address_of(file: &str) -> &str {
    match file {
        CONTENTS => "",
        "CHANGELOG.md" => "changes",
        _ => file.strip_prefix("docs/").unwrap_or(file).trim_end_matches(".md"),
    }
}

/// A link of a page as a browser follows it. `None` if it leads to a file that is only in the repository.
pub(crate) fn target(from: &str, link: &str) -> Option<String> {
    if link.starts_with('#') || link.contains("://") || link.starts_with("mailto:") {
        return Some(link.to_owned());
    }
    let (path, fragment) = link.split_once('#').map_or((link, String::new()), |(path, it)| (path, format!("#{it}")));
    let file = resolved(from, path);
    if file == "docs/openapi.json" {
        return Some("/openapi.json".to_owned());
    }
    let (file, _) = FILES.iter().find(|(known, _)| *known == file)?;
    let address = address_of(file);
    let slash = if address.is_empty() { "" } else { "/" };
    Some(format!("/docs/guide{slash}{address}{fragment}"))
}

/// A path relative to a file, from the root of the repository.
pub(crate) fn resolved(from: &str, path: &str) -> String {
    let mut segments: Vec<&str> = from.split('/').collect();
    segments.pop();
    for segment in path.split('/') {
        match segment {
            "." | "" => {}
            ".." => drop(segments.pop()),
            segment => segments.push(segment),
        }
    }
    segments.join("/")
}
