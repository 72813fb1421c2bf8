//! Files and folders that only their owner may read.

use std::fs::{DirBuilder, OpenOptions};
use std::io;
use std::path::Path;

/// What SQLite makes beside a file.
const BESIDE: [&str; 3] = ["", "-wal", "-shm"];

/// Makes a folder, where it is not there, that only its owner may look into (0700). One that is there stays as it is: it
/// may be for others, too.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Makes a file, where it is not there, that only its owner may read (0600). One that is there is made so, with what
/// SQLite has beside it, where it belongs to whoever runs this.
pub(crate) fn make_file(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Ok(_) => Ok(()),
        // A folder of this name is for SQLite to refuse.
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

/// Takes the rights of others away. Whoever is not the owner cannot, and goes on without.
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

/// There are no such rights here.
#[cfg(not(unix))]
pub fn restrict(_: &Path, _: u32) {}
