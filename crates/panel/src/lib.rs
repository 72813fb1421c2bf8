//! The built panel, compiled into the program.
//!
//! Its source is in `web` and its build output in `dist`, which is committed: building the program needs no Node. Text
//! files are stored only as gzip; fonts and pictures are stored unchanged.

use std::ffi::OsStr;
use std::path::Path;

use include_dir::{Dir, include_dir};

static DIST: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/dist");

/// Names of files below this folder contain a hash of their content.
const HASHED: &str = "assets/";
/// The suffix of files stored as gzip.
const GZIP: &str = ".gz";

/// A file of the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct File {
    /// Its URL path without the first slash: `assets/index-3f1c9a20.css`.
    pub path: &'static str,
    /// The value of `Content-Type`.
    pub content_type: &'static str,
    /// The content, compressed if [`gzip`](Self::gzip) is set.
    pub bytes: &'static [u8],
    /// Whether the content is gzip.
    pub gzip: bool,
    /// Whether the path changes with the content, so clients may cache it forever.
    pub immutable: bool,
}

/// Returns every file of the panel.
pub fn files() -> Vec<File> {
    let mut files = Vec::new();
    let mut folders = vec![&DIST];
    while let Some(folder) = folders.pop() {
        folders.extend(folder.dirs());
        files.extend(folder.files().filter_map(file));
    }
    files
}

fn file(it: &'static include_dir::File<'static>) -> Option<File> {
    let kept = it.path().to_str()?;
    let path = kept.strip_suffix(GZIP).unwrap_or(kept);
    Some(File {
        path,
        content_type: content_type(path)?,
        bytes: it.contents(),
        gzip: path != kept,
        immutable: path.starts_with(HASHED),
    })
}

/// Returns the content type of an accepted file name extension; `None` for any other.
fn content_type(path: &str) -> Option<&'static str> {
    Some(match Path::new(path).extension().and_then(OsStr::to_str)? {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "txt" => "text/plain; charset=utf-8",
        "png" => "image/png",
        "woff2" => "font/woff2",
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
