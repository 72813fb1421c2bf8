//! A file that is being written.

use std::fs::{self, File};
use std::io::{self, Write};
use std::mem::take;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use ring::digest::{Context, SHA256};
use tidings_domain::ports::{FileWriter, StoreError, WrittenFile};

use super::{PART, existing, run, unavailable};
use crate::private_file;

/// Number of bytes that are collected before they are written. At most twice as many are in memory.
const BLOCK: usize = 256 * 1024;

/// Writes a file beside its place. A file that was not finished is deleted with the writer.
pub(super) struct FolderWriter {
    /// The root folder.
    root: PathBuf,
    target: PathBuf,
    part: Part,
    collected: Vec<u8>,
    digest: Context,
    size: u64,
}

/// The file beside its place. It is `None` while another thread writes.
struct Part {
    path: PathBuf,
    file: Option<File>,
    is_renamed: bool,
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.is_renamed {
            // If this fails, the search for files without a row deletes it.
            let _ = fs::remove_file(&self.path);
        }
    }
}

impl FolderWriter {
    /// Opens a new file beside its place `target`.
    pub(super) fn create(root: &Path, target: PathBuf) -> io::Result<Self> {
        if let Some(folder) = target.parent() {
            tidings_storage::make_folder(folder)?;
        }
        let path = target.with_extension(PART);
        // It is left over from a process that ended while it wrote the same file.
        existing(fs::remove_file(&path))?;
        let file = Some(private_file::open_new(&path)?);
        let part = Part { path, file, is_renamed: false };
        let digest = Context::new(&SHA256);
        Ok(Self { root: root.to_owned(), target, part, collected: Vec::new(), digest, size: 0 })
    }

    /// Writes the collected bytes.
    async fn flush(&mut self) -> Result<(), StoreError> {
        let lost = || unavailable(&self.root, "an earlier write failed");
        let (bytes, mut file) = (take(&mut self.collected), self.part.file.take().ok_or_else(lost)?);
        let written = run(&self.root, move || file.write_all(&bytes).map(|()| file)).await?;
        self.part.file = Some(written);
        Ok(())
    }
}

#[async_trait]
impl FileWriter for FolderWriter {
    async fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.digest.update(bytes);
        self.size = self.size.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        // A whole file is not copied at once.
        for part in bytes.chunks(BLOCK) {
            self.collected.extend_from_slice(part);
            if self.collected.len() >= BLOCK {
                self.flush().await?;
            }
        }
        Ok(())
    }

    async fn finish(mut self: Box<Self>) -> Result<WrittenFile, StoreError> {
        self.flush().await?;
        let Self { root, target, mut part, digest, size, .. } = *self;
        let mut sha256 = [0; 32];
        sha256.copy_from_slice(digest.finish().as_ref());
        let folder = root.clone();
        run(&folder, move || place(&root, &target, &mut part)).await?;
        Ok(WrittenFile { size, sha256 })
    }
}

/// Makes a file durable, and moves it to its place.
fn place(root: &Path, target: &Path, part: &mut Part) -> io::Result<()> {
    if let Some(file) = part.file.take() {
        file.sync_all()?;
    }
    fs::rename(&part.path, target)?;
    part.is_renamed = true;
    // The name of the file, and the names of folders that are new.
    for folder in target.ancestors().skip(1) {
        sync_folder(folder)?;
        if folder == root {
            break;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_whole_file_is_not_copied_at_once() {
        let root = std::env::temp_dir().join(format!("tidings-media-writer-{}", std::process::id()));
        let mut writer = FolderWriter::create(&root, root.join("file")).unwrap();
        writer.write(&vec![7; 8 * BLOCK + 1]).await.unwrap();
        assert_eq!(writer.collected, [7]);
        assert_eq!(fs::metadata(&writer.part.path).unwrap().len(), u64::try_from(8 * BLOCK).unwrap());
        drop(writer);
        fs::remove_dir_all(root).unwrap();
    }
}
