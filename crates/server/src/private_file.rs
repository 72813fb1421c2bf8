//! Files that only their owner can read.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Writes a new file, with its folder. Only its owner can read it (0600).
pub(crate) fn create(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        tidings_storage::make_folder(folder)?;
    }
    let mut file = open_new(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Opens a new file for writing. Only its owner can read it (0600).
#[cfg(unix)]
pub(crate) fn open_new(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
}

#[cfg(not(unix))]
pub(crate) fn open_new(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).open(path)
}
