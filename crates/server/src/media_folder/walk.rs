//! The search for old files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use tidings_domain::ids::{MediaId, WorkspaceId};
use tidings_domain::ports::FilePlace;
use tidings_domain::time::Timestamp;

use super::{PART, existing};

/// Returns files, also incomplete ones, that were last written before `before`, in the order of their paths, after the
/// path `after`, at most `limit`. Files that this program did not create are skipped.
pub(super) fn older_than(
    root: &Path,
    before: Timestamp,
    after: Option<&Path>,
    limit: usize,
) -> io::Result<Vec<FilePlace>> {
    let mut found = Vec::new();
    for workspace in entries(root)? {
        let Some(id) = id_of::<WorkspaceId>(&workspace) else { continue };
        if after.is_some_and(|after| !after.starts_with(&workspace) && *after > *workspace) {
            continue;
        }
        for shard in entries(&workspace)? {
            if after.is_some_and(|after| !after.starts_with(&shard) && *after > *shard) {
                continue;
            }
            let mut last = None;
            for file in entries(&shard)? {
                let Some(media) = id_of::<MediaId>(&file) else { continue };
                let place = FilePlace { workspace: id, media };
                let is_new = last != Some(place) && after.is_none_or(|after| *file.with_extension("") > *after);
                if is_new && is_older(&file, before)? {
                    last = Some(place);
                    found.push(place);
                }
                if found.len() >= limit {
                    return Ok(found);
                }
            }
        }
    }
    Ok(found)
}

/// Returns the paths in a folder, sorted; none if it is missing or a file.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let Some(read) = existing(fs::read_dir(folder))? else { return Ok(Vec::new()) };
    let mut paths = read.map(|entry| entry.map(|it| it.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// Returns the ID that names a path, possibly of an incomplete file.
fn id_of<I: std::str::FromStr>(path: &Path) -> Option<I> {
    let name = path.file_name()?.to_str()?;
    let part = name.strip_suffix(PART).and_then(|it| it.strip_suffix('.'));
    part.unwrap_or(name).parse().ok()
}

/// Whether a file was last written before this time. A file that is missing in the meantime was not.
fn is_older(file: &Path, before: Timestamp) -> io::Result<bool> {
    let Some(metadata) = existing(fs::metadata(file))? else { return Ok(false) };
    let since = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    let written = Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX));
    Ok(metadata.is_file() && written < before)
}
