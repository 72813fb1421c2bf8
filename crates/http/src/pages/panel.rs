//! The panel: a web application, from embedded files.
//!
//! It is a single page that renders each path. So a browser gets this page for every path that is neither a file nor
//! taken by other routes, and a reload works. Programs get 404.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, PERMISSIONS_POLICY, REFERRER_POLICY, VARY,
};

use crate::request::etag::EntityTag;
use crate::request::preconditions::Preconditions;
use crate::response::answer::Answer;
use crate::response::problem::Problem;
use crate::response::static_body::{Coding, StaticBody};

/// The template of all its paths. Addresses of the panel can contain an ID or the token of an invitation.
pub(crate) const TEMPLATE: &str = "/{panel}";

/// The page of all addresses.
const PAGE: &str = "index.html";
/// The folder of its scripts, styles and fonts. Caches must not store a 404 in it.
pub(crate) const ASSETS: &str = "assets";

/// Scripts, requests and fonts only from this server. Scalar and the panel use inline styles. The inbox reads the files
/// of messages with the access token, and shows and plays them from `blob:` URLs.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data: blob:; media-src blob:; font-src 'self' data:; connect-src 'self'; \
                      worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// For files whose path changes with their content.
pub(crate) const IMMUTABLE: &str = "public, max-age=31536000, immutable";

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

const HEADERS: [(HeaderName, &str); 2] = [(CONTENT_SECURITY_POLICY, POLICY), (REFERRER_POLICY, "no-referrer")];
/// Headers that browsers use only for pages, not for scripts and styles. `Vary`, because programs get no page.
const OF_A_PAGE: [(HeaderName, &str); 3] = [
    (OPENER_POLICY, "same-origin"),
    (PERMISSIONS_POLICY, "camera=(), geolocation=(), microphone=(), payment=()"),
    (VARY, "Accept"),
];

/// A file of the panel.
#[derive(Debug, Clone, Copy)]
pub struct PanelFile {
    /// The path, without the leading slash.
    pub path: &'static str,
    /// The value of `Content-Type`.
    pub content_type: &'static str,
    /// The content.
    pub bytes: &'static [u8],
    /// Whether the content is in gzip. Otherwise it is sent as it is.
    pub gzip: bool,
    /// Whether the content never changes under this path.
    pub immutable: bool,
}

/// The files of the panel.
#[derive(Clone)]
pub struct Panel {
    files: Arc<HashMap<&'static str, Shown>>,
}

pub(crate) struct Shown {
    content_type: &'static str,
    body: Arc<StaticBody>,
    tag: EntityTag,
    immutable: bool,
}

impl Panel {
    /// Creates the panel from its files, including `index.html`.
    pub fn new(files: impl IntoIterator<Item = PanelFile>) -> Self {
        let shown = |it: PanelFile| {
            let coding = if it.gzip { Coding::Gzip } else { Coding::Dense };
            let body = Arc::new(StaticBody::new(it.bytes, coding));
            let shown =
                Shown { content_type: it.content_type, tag: EntityTag::of(1, it.bytes), body, immutable: it.immutable };
            (it.path, shown)
        };
        Self { files: Arc::new(files.into_iter().map(shown).collect()) }
    }

    pub(crate) fn page(&self) -> Option<&Shown> {
        self.files.get(PAGE)
    }

    /// Returns the file at a path, or the page if a browser requests an address of the panel. `taken` are the first
    /// segments of paths of other routes.
    pub(crate) fn at(&self, path: &str, headers: &HeaderMap, taken: &BTreeSet<&str>) -> Option<&Shown> {
        let file = self.files.get(path.strip_prefix('/')?);
        file.or_else(|| self.page().filter(|_| is_address(path, taken) && asks_for_a_page(headers)))
    }
}

impl Shown {
    /// Returns the file, or 304.
    ///
    /// # Errors
    /// 412; 400 `invalid_header` for invalid preconditions.
    pub(crate) fn answer(&self, request: &HttpRequest) -> Result<Answer, Problem> {
        let caching = if self.immutable { IMMUTABLE } else { "no-cache" };
        let answer =
            Answer::static_body(self.content_type, &self.body).tagged(self.tag.clone()).with(CACHE_CONTROL, caching);
        let of_a_page = OF_A_PAGE.into_iter().filter(|_| self.content_type.starts_with("text/html"));
        let answer =
            HEADERS.into_iter().chain(of_a_page).fold(answer, |answer, (name, value)| answer.with(name, value));
        Preconditions::read(request.headers())?.of_get(answer)
    }
}

/// Whether a path belongs to the panel. A path that resembles another route, such as `/API/v1`, or a file is reported
/// as an error instead.
pub(crate) fn is_address(path: &str, taken: &BTreeSet<&str>) -> bool {
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    let Some((last, before)) = segments.split_last() else { return false };
    let first = before.first().unwrap_or(last);
    let is_taken = taken.iter().chain([&ASSETS]).any(|it| it.eq_ignore_ascii_case(first));
    !is_taken && !last.contains('.') && before.iter().all(|segment| !segment.is_empty())
}

/// Whether the request is a browser's navigation: only these accept `text/html` explicitly. Scripts and programs send
/// nothing, `*/*` or JSON, and would mistake the page for a response of the API.
fn asks_for_a_page(headers: &HeaderMap) -> bool {
    let named = headers.get_all(ACCEPT).filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    named.filter_map(|range| range.split(';').next()).any(|kind| kind.trim().eq_ignore_ascii_case("text/html"))
}

#[cfg(test)]
mod tests;
