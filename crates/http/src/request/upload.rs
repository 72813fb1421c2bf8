//! The reception of a file: as the body itself, or as a form with one part.

mod multipart;
mod parameter;

use actix_web::HttpRequest;
use actix_web::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderName};
use actix_web::web::Payload;
use bytes::Bytes;
use futures::StreamExt;
use tidings_domain::media::{ReceivedFile, Upload};
use tidings_domain::read::text;

use super::RequestContext;
use super::body::check_coding;
use super::query::parameters;
use crate::connections::ConnectionState;
use crate::response::problem::{Code, Problem};
use multipart::{FormError, FormReader};

/// The bytes of a form beside its file, at most.
const BESIDE: u64 = 16 * 1024;
/// Maximum number of characters of a given name.
const MAX_NAME: usize = 1_024;
/// Value of `Retry-After`, in seconds, if too many files are being received.
const RETRY: u64 = 2;

parameters! {
    /// The parameter of an upload.
    pub(crate) struct UploadParams {
        /// Name of the file. Only the last segment of a path is used, without control characters, and at most 120
        /// characters. A form names the file itself.
        one name: String = text(0..=MAX_NAME);
    }
}

/// A received file with its given name.
pub(crate) struct ReceivedUpload {
    pub(crate) name: String,
    pub(crate) file: ReceivedFile,
}

impl ReceivedUpload {
    /// Returns the content of the request for the fingerprint of its idempotency key.
    pub(crate) fn identity(&self) -> Bytes {
        [self.file.sha256().as_slice(), self.name.as_bytes()].concat().into()
    }
}

/// Receives the file of a request. Its bytes are written as they arrive.
///
/// # Errors
/// 422 for other parameters; 415, 429, 413 and 409 before the body is read; 408, 400 and 413 while it is read.
pub(crate) async fn receive(
    cx: &RequestContext,
    request: &HttpRequest,
    payload: &mut Option<Payload>,
) -> Result<ReceivedUpload, Problem> {
    let UploadParams { name } = cx.parameters()?;
    check_coding(cx.route, request)?;
    let header =
        |name: HeaderName| request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let kind = header(CONTENT_TYPE);
    let is_form = kind.trim_start().to_ascii_lowercase().starts_with("multipart/form-data");
    let mut form = None;
    if is_form {
        let unsupported = || {
            Problem::new(Code::UnsupportedMediaType)
                .detail("`Content-Type` must have a `boundary` of 1 to 70 characters.")
        };
        form = Some(FormReader::new(kind).ok_or_else(unsupported)?);
    }
    let running = cx.state.uploads.begin(cx.access().workspace());
    let _running = running.ok_or_else(|| {
        let detail = "Too many files of the workspace are being received. Retry after `Retry-After` seconds.";
        Problem::new(Code::ComputeLimit).detail(detail).retry_after(RETRY)
    })?;
    let declared = header(CONTENT_LENGTH).parse::<u64>().ok();
    let declared = declared.map(|length| if is_form { length.saturating_sub(BESIDE) } else { length });
    let upload = cx.services().media.begin(cx.access(), declared).await?;
    let payload = payload.take().ok_or_else(|| Problem::new(Code::Internal))?;
    let reading = tokio::time::timeout(cx.state.timeouts.body, read(payload, upload, form));
    let (file, form_name) = reading.await.map_err(|_| Problem::new(Code::RequestTimeout))??;
    if let Some(connection) = ConnectionState::of(request) {
        connection.body_was_read();
    }
    Ok(ReceivedUpload { name: name.or(form_name).unwrap_or_default(), file })
}

/// Reads the body to its end. Returns the file, with its name in a form.
async fn read(
    mut payload: Payload,
    mut upload: Upload,
    mut form: Option<FormReader>,
) -> Result<(ReceivedFile, Option<String>), Problem> {
    while let Some(chunk) = payload.next().await {
        let broken = |_| Problem::new(Code::BadRequest).detail("The body is incomplete or could not be read.");
        let chunk = chunk.map_err(broken)?;
        match &mut form {
            None => upload.write(&chunk).await?,
            Some(form) => upload.write(&form.feed(&chunk).map_err(invalid_form)?).await?,
        }
    }
    if let Some(form) = &form {
        form.finish().map_err(invalid_form)?;
    }
    let name = form.and_then(|form| form.file_name().map(ToOwned::to_owned));
    Ok((upload.finish().await?, name))
}

fn invalid_form(error: FormError) -> Problem {
    Problem::new(Code::BadRequest).detail(format!("The form is not accepted: {error}."))
}
