//! Files and directories that only their owner can access.

use std::fs::{DirBuilder, OpenOptions};
use std::io;
use std::path::Path;

/// The file and the files that SQLite creates next to it.
const BESIDE: [&str; 3] = ["", "-wal", "-shm"];

/// Creates a missing directory that only its owner can access (0700). An existing one is not changed, because it may be
/// shared on purpose.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Creates a missing file that only its owner can access (0600). An existing file and SQLite's files next to it are
/// restricted, if this user owns them.
pub(crate) fn make_file(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        // SQLite rejects a directory with this name.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            for ending in BESIDE {
                let mut name = path.as_os_str().to_owned();
                name.push(ending);
                restrict(Path::new(&name), 0o600);
            }
            Ok(())
        }
        Err(error) => Err(error),
    }
}

/// Removes the access of other users. If this user is not the owner, only logs a warning.
#[cfg(unix)]
pub fn restrict(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    let Ok(found) = std::fs::metadata(path) else { return };
    let is_kind = found.is_dir() == (mode & 0o100 != 0);
    if is_kind
        && found.permissions().mode() & 0o077 != 0
        && let Err(error) = std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode))
    {
        tracing::warn!(path = %path.display(), %error, "other users can read this file, and its permissions cannot be \
                                                        changed");
    }
}

/// This platform has no such permissions.
#[cfg(not(unix))]
pub fn restrict(_: &Path, _: u32) {}
