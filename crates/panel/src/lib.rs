//! The built panel, compiled in: what people see in a browser.
//!
//! Its source is in `web`, what was built of it in `dist`, which is committed so that a build of the
//! program needs no Node. Text is there in gzip only; fonts and pictures are as they are.

use std::ffi::OsStr;
use std::path::Path;

use include_dir::{Dir, include_dir};

static DIST: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/dist");

/// Below this folder a file's name has a hash of what is in it.
const HASHED: &str = "assets/";
/// The ending of what is kept in gzip.
const GZIP: &str = ".gz";

/// A file of the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct File {
    /// Where it is asked for, without the first slash: `assets/index-3f1c9a20.css`.
    pub path: &'static str,
    /// The value of `Content-Type`.
    pub content_type: &'static str,
    /// What is in it, in gzip where [`gzip`](Self::gzip) says so.
    pub bytes: &'static [u8],
    /// Whether the bytes are in gzip.
    pub gzip: bool,
    /// Whether other bytes would have another path, so that it may be kept for ever.
    pub immutable: bool,
}

/// Every file of the panel.
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

/// The one table of what the panel may consist of; `None` for an ending that is not in it.
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
