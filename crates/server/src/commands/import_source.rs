//! The table of an import command.

use std::fs::File;
use std::io::{IsTerminal, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use tidings_domain::Error;
use tidings_domain::fields::CustomField;
use tidings_domain::imports::{GuessedTable, TableGuess, TableOptions};

use crate::failure::Failure;

/// The maximum size of a file in bytes.
const MAX_FILE: u64 = 1 << 30;
/// The number of bytes that are read at once.
pub(super) const PIECE: usize = 256 << 10;

/// A table that can be read several times.
pub(super) struct Source {
    file: File,
    path: PathBuf,
    /// Whether questions are possible: the table is not standard input, and both ends are a terminal.
    pub(super) can_ask: bool,
}

impl Source {
    /// Opens a file. Standard input (`-`) and pipes, such as `<(…)` of a shell, are copied to a temporary file.
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        if path == Path::new("-") {
            return Self::copy(std::io::stdin().lock(), path, "stdin.csv", false);
        }
        let file = File::open(path).map_err(Failure::with_file("read", path))?;
        let metadata = file.metadata().map_err(Failure::with_file("read", path))?;
        let can_ask = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
        if !metadata.is_file() {
            return Self::copy(file, path, "pipe.csv", can_ask);
        }
        Self { file, path: path.to_owned(), can_ask }.of_length(metadata.len())
    }

    /// Copies a source that can be read only once. `name` is its name in messages and in the path of rejected rows.
    fn copy(source: impl Read, path: &Path, name: &str, can_ask: bool) -> Result<Self, Failure> {
        let mut file = temporary()?;
        let copied = std::io::copy(&mut source.take(MAX_FILE + 1), &mut file);
        let length = copied.map_err(Failure::with_file("read", path))?;
        Self { file, path: PathBuf::from(name), can_ask }.of_length(length)
    }

    fn of_length(self, length: u64) -> Result<Self, Failure> {
        if length <= MAX_FILE {
            return Ok(self);
        }
        Err(Failure::with_advice(format!(
            "{} has {length} bytes; at most {MAX_FILE} are allowed. Split the file",
            self.path.display()
        )))
    }

    /// Returns the path of the file of rejected rows.
    pub(super) fn rejected_path(&self) -> PathBuf {
        self.path.with_extension("rejected.csv")
    }

    pub(super) fn guess(&mut self, options: &TableOptions, fields: &[CustomField]) -> Result<GuessedTable, Failure> {
        let mut guess = TableGuess::new(options, fields);
        self.pieces(0, |piece| guess.push(piece).map_err(unreadable_table))?;
        guess.finish().map_err(unreadable_table)
    }

    /// Reads the table from an offset to its end.
    pub(super) fn pieces(
        &mut self,
        from: u64,
        mut take: impl FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        self.seek(from)?;
        let mut piece = vec![0; PIECE];
        loop {
            match self.next(&mut piece)? {
                [] => return Ok(()),
                bytes => take(bytes)?,
            }
        }
    }

    pub(super) fn seek(&mut self, from: u64) -> Result<(), Failure> {
        self.file.seek(SeekFrom::Start(from)).map(|_| ()).map_err(Failure::with_file("read", &self.path))
    }

    /// Returns the next bytes; empty at the end.
    pub(super) fn next<'p>(&mut self, piece: &'p mut [u8]) -> Result<&'p [u8], Failure> {
        let read = loop {
            match self.file.read(piece) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                read => break read.map_err(Failure::with_file("read", &self.path))?,
            }
        };
        Ok(piece.get(..read).unwrap_or_default())
    }
}

/// Creates an unnamed file, which disappears with the process.
fn temporary() -> Result<File, Failure> {
    let path = std::env::temp_dir().join(format!("tidings-import-{}.csv", std::process::id()));
    let file = File::options().read(true).write(true).create_new(true).open(&path);
    let file = file.map_err(Failure::with_file("write", &path))?;
    std::fs::remove_file(&path).map_err(Failure::with_file("write", &path))?;
    Ok(file)
}

/// Returns the failure for a file that is not a table.
pub(super) fn unreadable_table(error: Error) -> Failure {
    match error {
        Error::Invalid(wrong) => {
            let told: Vec<_> = wrong.into_iter().map(|it| it.message).collect();
            Failure::with_advice(told.join("\n"))
        }
        other => other.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::fd::AsRawFd;

    use super::*;

    #[test]
    fn reads_a_pipe_twice() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        writer.write_all(b"email\nada@example.com\n").unwrap();
        drop(writer);
        let path = PathBuf::from(format!("/dev/fd/{}", reader.as_raw_fd()));
        let mut source = Source::open(&path).unwrap();
        assert_eq!(source.rejected_path(), Path::new("pipe.rejected.csv"));
        for _ in 0..2 {
            let mut read = Vec::new();
            let all = source.pieces(0, |piece| {
                read.extend_from_slice(piece);
                Ok(())
            });
            all.unwrap();
            assert_eq!(read, b"email\nada@example.com\n");
        }
    }
}
