//! The archive of an exported workspace: a `.tar.gz` with files of JSON lines.

use std::collections::BTreeMap;
use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use tar::{Builder, Header};
use tidings_domain::Error;
use tidings_domain::platform::{ExportedRows, WorkspaceReader};
use tidings_domain::ports::StoreError;
use tidings_domain::time::Timestamp;

/// The size of a file in bytes. It is held in memory, because tar has the size before the content.
const FILE: usize = 256 * 1024;

/// The lines of one type of object that are in no file yet.
#[derive(Default)]
struct Open {
    lines: Vec<u8>,
    written: u64,
    files: u32,
}

/// Creates the archive of a workspace in portions. Each type of object has a folder with files of about 256 KiB:
/// `contacts/0001.ndjson`. The last file, `export.json`, has the number of lines of each type.
pub struct WorkspaceArchive {
    reader: WorkspaceReader,
    made_at: Timestamp,
    open: BTreeMap<&'static str, Open>,
    archive: Option<Builder<GzEncoder<Vec<u8>>>>,
}

impl WorkspaceArchive {
    /// Creates the archive from the rows of `reader`.
    pub fn new(reader: WorkspaceReader, made_at: Timestamp) -> Self {
        let archive = Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
        Self { reader, made_at, open: BTreeMap::new(), archive: Some(archive) }
    }

    /// Returns the next bytes; `None` after the last ones.
    ///
    /// # Errors
    /// [`Error::Store`]; another call continues the archive. Without it, the archive is incomplete, which readers detect.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, Error> {
        while self.archive.is_some() {
            match self.reader.next().await? {
                Some(rows) => self.add(rows).map_err(unwritten)?,
                None => return self.end().map(Some).map_err(unwritten),
            }
            let made = self.archive.as_mut().map(|it| std::mem::take(it.get_mut().get_mut())).unwrap_or_default();
            if !made.is_empty() {
                return Ok(Some(made));
            }
        }
        Ok(None)
    }

    fn add(&mut self, ExportedRows { kind, rows }: ExportedRows) -> io::Result<()> {
        for row in rows {
            let open = self.open.entry(kind).or_default();
            open.lines.extend_from_slice(row.as_bytes());
            open.lines.push(b'\n');
            open.written += 1;
            if open.lines.len() >= FILE {
                self.close(kind)?;
            }
        }
        Ok(())
    }

    /// Writes the lines of a type into a file.
    fn close(&mut self, kind: &'static str) -> io::Result<()> {
        let Some(open) = self.open.get_mut(kind).filter(|it| !it.lines.is_empty()) else { return Ok(()) };
        open.files += 1;
        let (path, lines) = (format!("{kind}/{:04}.ndjson", open.files), std::mem::take(&mut open.lines));
        self.write(&path, &lines)
    }

    fn write(&mut self, path: &str, content: &[u8]) -> io::Result<()> {
        let mut header = Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(u64::try_from(self.made_at.millis() / 1_000).unwrap_or(0));
        self.archive.as_mut().map_or(Ok(()), |it| it.append_data(&mut header, path, content))
    }

    fn end(&mut self) -> io::Result<Vec<u8>> {
        let kinds: Vec<&'static str> = self.open.keys().copied().collect();
        for kind in kinds {
            self.close(kind)?;
        }
        let lines: BTreeMap<_, _> = self.open.iter().map(|(kind, open)| (*kind, open.written)).collect();
        let about = json!({ "exported_at": self.made_at, "version": env!("CARGO_PKG_VERSION"), "lines": lines });
        self.write("export.json", about.to_string().as_bytes())?;
        let Some(archive) = self.archive.take() else { return Ok(Vec::new()) };
        let mut compressed = archive.into_inner()?;
        compressed.flush()?;
        compressed.finish()
    }
}

/// Memory accepts all bytes; only the name of a file can be invalid.
fn unwritten(error: io::Error) -> Error {
    StoreError::Corrupt(format!("a file of an archive cannot be written: {error}")).into()
}
