//! Files: pictures, recordings and documents of messages. The row of a file is in the store, its bytes are in the
//! [file store](crate::ports::MediaFiles).
//!
//! | Deletion | Row | Bytes |
//! |---|---|---|
//! | of a file that nothing uses | [`EngineStore::expire_media`](crate::ports::EngineStore::expire_media) | `sweep.rs`, within an hour |
//! | by a client | [`MediaService::delete`] | the same function |
//! | with its contact | the change set of the erasure | `erasures/executor.rs` |
//! | with its workspace or sandbox | with the other rows | `sweep.rs` |

mod file_name;
mod limits;
mod link;
mod media_type;
mod model;
mod path;
mod room;
mod service;
mod sweep;
#[cfg(test)]
mod tests;
mod upload;
mod view;

pub use file_name::{MAX_FILE_NAME, safe_file_name};
pub use limits::MediaLimits;
pub use link::{LINK_LIFE, MediaLink};
pub use media_type::{MediaType, SNIFFED};
pub use model::{Media, MediaUse};
pub use path::media_path;
pub(crate) use room::room_for_contacts;
pub use service::{CreatedLink, MAX_LINK_LIFE, MediaService};
pub use sweep::FileSweeper;
pub(crate) use upload::store_bytes;
pub use upload::{ReceivedFile, Upload};
pub use view::MediaView;

/// Minimum age in hours of a file that is deleted because nothing uses it.
pub const UNUSED_HOURS: u64 = 24;
