//! The check of the folder.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use tidings_credentials::system::SystemIds;
use tidings_domain::ports::Ids;

use super::existing;
use crate::private_file;

/// The content of the file.
const CONTENT: &[u8] = b"tidings";

/// Writes, reads and deletes a small file in the folder, or in its nearest existing parent. It creates no folder, because
/// the user of a command may be another than that of the server.
pub(super) fn probe(root: &Path) -> io::Result<()> {
    let path = nearest_folder(root)?.join(format!(".tidings-probe-{}", SystemIds.next().simple()));
    let mut file = private_file::open_new(&path)?;
    let read = file.write_all(CONTENT).and_then(|()| fs::read(&path));
    drop(file);
    let removed = fs::remove_file(&path);
    if read? != CONTENT {
        return Err(io::Error::other("a file had another content after it was written"));
    }
    removed
}

/// Returns the folder, or its nearest existing parent.
fn nearest_folder(root: &Path) -> io::Result<&Path> {
    for folder in root.ancestors() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        match existing(fs::metadata(folder))? {
            Some(found) if found.is_dir() => return Ok(folder),
            Some(_) => return Err(ErrorKind::NotADirectory.into()),
            None => {}
        }
    }
    Err(ErrorKind::NotFound.into())
}
