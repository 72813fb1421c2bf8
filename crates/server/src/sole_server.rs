//! The lock that allows one server per SQLite file, on a file beside it.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tidings_storage::{make_folder, restrict};

use crate::failure::Failure;

/// The time limit for the end of a killed process.
const PATIENCE: Duration = Duration::from_secs(2);
/// The interval between attempts.
const LOOK: Duration = Duration::from_millis(20);

/// The lock. The operating system releases it when the process ends for any reason.
#[derive(Debug)]
pub(crate) struct SoleServer {
    _locked: File,
}

impl SoleServer {
    /// Locks the database for this process. Waits for a process that is about to end.
    ///
    /// # Errors
    /// [`Failure::Refused`] if another process keeps the lock.
    pub(crate) fn of(database: &Path) -> Result<Self, Failure> {
        Self::within(PATIENCE, database)
    }

    fn within(patience: Duration, database: &Path) -> Result<Self, Failure> {
        let began = Instant::now();
        let path = path_of(database);
        if let Some(folder) = path.parent() {
            make_folder(folder).map_err(Failure::with_file("make", folder))?;
        }
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path);
        let mut file = file.map_err(Failure::with_file("open", &path))?;
        restrict(&path, 0o600);
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if began.elapsed() < patience => sleep(LOOK),
                Err(TryLockError::WouldBlock) => return Err(database_in_use(database, &mut file)),
                Err(TryLockError::Error(error)) => return Err(Failure::with_file("lock", &path)(error)),
            }
        }
        let written = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
        written.map_err(Failure::with_file("write", &path))?;
        Ok(Self { _locked: file })
    }

    /// Describes the server that has the lock, by command and process; `None` if there is none. It creates no file, and
    /// does not disturb a server that is starting, which waits longer.
    pub(crate) fn running_server(database: &Path) -> Option<String> {
        let mut file = File::open(path_of(database)).ok()?;
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => Some(server(&mut file)),
            Ok(()) | Err(TryLockError::Error(_)) => None,
        }
    }
}

fn path_of(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}

/// Describes the server that has the lock, from the content of the file.
fn server(file: &mut File) -> String {
    let mut holder = String::new();
    let _ = file.rewind().and_then(|()| file.read_to_string(&mut holder));
    let holder = if holder.is_empty() { String::new() } else { format!(" (process {holder})") };
    format!("`tidings serve`{holder}")
}

fn database_in_use(database: &Path, file: &mut File) -> Failure {
    let server = server(file);
    Failure::with_advice(format!(
        "another {server} uses {}. Stop it, or set another storage.url for this server \
         (TIDINGS__STORAGE__URL=sqlite://PATH).",
        database.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locks_a_database_for_one_server_until_it_ends() {
        let folder = std::env::temp_dir().join(format!("tidings-lock-{}", std::process::id()));
        let database = folder.join("new").join("tidings.db");
        assert_eq!(SoleServer::running_server(&database), None);
        assert!(!folder.exists(), "the check creates no folder");
        let first = SoleServer::of(&database).unwrap();
        let there = format!("`tidings serve` (process {})", std::process::id());
        assert_eq!(SoleServer::running_server(&database), Some(there));
        let refusal = SoleServer::within(Duration::ZERO, &database).unwrap_err().to_string();
        assert!(refusal.contains(&format!("process {}", std::process::id())), "{refusal}");
        let (patient, own) = (Duration::from_secs(3600), database.clone());
        let next = std::thread::spawn(move || SoleServer::within(patient, &own));
        drop(first);
        assert!(next.join().unwrap().is_ok(), "the waiting server gets it next");
        assert_eq!(SoleServer::running_server(&database), None);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
