//! `/platform/workspaces/{ws}/export`: all data of a workspace, streamed.

use actix_web::http::header::CONTENT_DISPOSITION;
use bytes::Bytes;
use futures::stream;
use tokio::runtime::Handle;

use super::archive::WorkspaceArchive;
use crate::limits::workspace_limit::Running;
use crate::request::RequestContext;
use crate::response::answer::{AbortedBody, Answer};
use crate::response::export_body::on_runtime;
use crate::response::problem::{Code, Problem};

/// Value of `Retry-After`, in seconds, of a rejected export.
const RETRY: u64 = 10;

/// Export a workspace.
///
/// Returns a `.tar.gz` with files of JSON lines by type of object, such as `contacts/0001.ndjson`, and `export.json` as
/// its last file. It has no secrets and no deleted contacts; export the sandbox separately. The response is streamed. If
/// it ends early, the archive has no `export.json`. A workspace has one export at a time; another gets 429 `search_limit`.
#[utoipa::path(get, path = "/platform/workspaces/{ws}/export", tag = "Platform",
    responses((status = 200, description = "The archive.", content_type = "application/octet-stream", body = String)))]
pub async fn export(cx: RequestContext) -> Result<Answer, Problem> {
    let running = cx.state.exports.begin(cx.access().workspace());
    let running = running.ok_or_else(|| {
        Problem::new(Code::SearchLimit).detail("An export of this workspace is running.").retry_after(RETRY)
    })?;
    let reader = cx.services().platform.export_workspace(cx.access()).await?;
    let archive = WorkspaceArchive::new(reader, cx.services().ports.clock.now());
    let name = format!("attachment; filename=\"{}.tar.gz\"", cx.access().workspace());
    let writer = Writer { archive, made: Bytes::new(), runtime: cx.state.pool.runtime(), _running: running };
    let body = stream::try_unfold(writer, Writer::next);
    Ok(Answer::streamed("application/octet-stream", body).with(CONTENT_DISPOSITION, &name))
}

/// The maximum number of bytes that are yielded at once.
const PORTION: usize = 64 * 1024;

struct Writer {
    archive: WorkspaceArchive,
    /// Compressed bytes that are not sent yet.
    made: Bytes,
    /// Reads and compresses rows outside of the request threads.
    runtime: Handle,
    _running: Running,
}

impl Writer {
    async fn next(mut self) -> Result<Option<(Bytes, Self)>, AbortedBody> {
        // Otherwise a fast client would occupy the thread as long as its socket accepts bytes.
        tokio::task::yield_now().await;
        if self.made.is_empty() {
            let Self { mut archive, runtime, _running, .. } = self;
            let next = async move { archive.next().await.map(|made| (made, archive)) };
            let (made, archive) = on_runtime(next, &runtime).await?;
            let Some(made) = made else { return Ok(None) };
            self = Self { archive, made: made.into(), runtime, _running };
        }
        let portion = self.made.split_to(self.made.len().min(PORTION));
        Ok(Some((portion, self)))
    }
}
