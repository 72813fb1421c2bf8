//! The panel: what people open in a browser, from files that the program brings along.
//!
//! Its one page shows what the path says. So to a browser every path that is neither a file nor kept for somebody
//! else is answered with that page, and a reload stays where it was. A program hears that nothing is there.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, PERMISSIONS_POLICY, REFERRER_POLICY, VARY,
};

use crate::answer::Answer;
use crate::etag::EntityTag;
use crate::held::{Coding, Held};
use crate::preconditions::Preconditions;
use crate::problem::Problem;

/// The template of all its paths: an address of the panel may hold an id or the token of an invitation.
pub(crate) const TEMPLATE: &str = "/{panel}";

/// The page of every address.
const PAGE: &str = "index.html";
/// Where its scripts, styles and fonts are; what is not there is not to be remembered as missing.
pub(crate) const ASSETS: &str = "assets";

/// Scripts, requests and fonts from here alone. Scalar and the panel write styles into their pages.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; \
                      manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// For what has another address when it is another.
pub(crate) const IMMUTABLE: &str = "public, max-age=31536000, immutable";

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

const HEADERS: [(HeaderName, &str); 2] = [(CONTENT_SECURITY_POLICY, POLICY), (REFERRER_POLICY, "no-referrer")];
/// What browsers heed of a page alone, and not of its scripts and styles; and that others get none at its addresses.
const OF_A_PAGE: [(HeaderName, &str); 3] = [
    (OPENER_POLICY, "same-origin"),
    (PERMISSIONS_POLICY, "camera=(), geolocation=(), microphone=(), payment=()"),
    (VARY, "Accept"),
];

/// A file of the panel.
#[derive(Debug, Clone, Copy)]
pub struct PanelFile {
    /// Where it is, without the first slash.
    pub path: &'static str,
    /// The value of `Content-Type`.
    pub content_type: &'static str,
    /// What is in it.
    pub bytes: &'static [u8],
    /// Whether that is in gzip; what is not is sent as it is.
    pub gzip: bool,
    /// Whether it never changes under this path.
    pub immutable: bool,
}

/// The panel's files.
#[derive(Clone)]
pub struct Panel {
    files: Arc<HashMap<&'static str, Shown>>,
}

/// A file as it is shown.
pub(crate) struct Shown {
    content_type: &'static str,
    held: Arc<Held>,
    tag: EntityTag,
    immutable: bool,
}

impl Panel {
    /// The panel that consists of these files, `index.html` among them.
    pub fn new(files: impl IntoIterator<Item = PanelFile>) -> Self {
        let shown = |it: PanelFile| {
            let coding = if it.gzip { Coding::Gzip } else { Coding::Dense };
            let held = Arc::new(Held::new(it.bytes, coding));
            let shown =
                Shown { content_type: it.content_type, tag: EntityTag::of(1, it.bytes), held, immutable: it.immutable };
            (it.path, shown)
        };
        Self { files: Arc::new(files.into_iter().map(shown).collect()) }
    }

    /// The page of every address.
    pub(crate) fn page(&self) -> Option<&Shown> {
        self.files.get(PAGE)
    }

    /// What is shown at a path: a file, or to who asks for a page the page, where the path is an address of the panel.
    /// `taken` are the first segments of paths that are not the panel's.
    pub(crate) fn at(&self, path: &str, headers: &HeaderMap, taken: &BTreeSet<&str>) -> Option<&Shown> {
        let file = self.files.get(path.strip_prefix('/')?);
        file.or_else(|| self.page().filter(|_| is_address(path, taken) && asks_for_a_page(headers)))
    }
}

impl Shown {
    /// The answer with it, or 304.
    ///
    /// # Errors
    /// 412, and 400 `invalid_header` for preconditions that cannot be read.
    pub(crate) fn answer(&self, request: &HttpRequest) -> Result<Answer, Problem> {
        let caching = if self.immutable { IMMUTABLE } else { "no-cache" };
        let answer = Answer::held(self.content_type, &self.held).tagged(self.tag.clone()).with(CACHE_CONTROL, caching);
        let of_a_page = OF_A_PAGE.into_iter().filter(|_| self.content_type.starts_with("text/html"));
        let answer =
            HEADERS.into_iter().chain(of_a_page).fold(answer, |answer, (name, value)| answer.with(name, value));
        Preconditions::read(request.headers())?.of_get(answer)
    }
}

/// Whether a path is one that the page reads. One that is nearly somebody else's, such as `/API/v1`, and one
/// that looks like a file is a mistake that should be heard of.
pub(crate) fn is_address(path: &str, taken: &BTreeSet<&str>) -> bool {
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    let Some((last, before)) = segments.split_last() else { return false };
    let first = before.first().unwrap_or(last);
    let is_taken = taken.iter().chain([&ASSETS]).any(|it| it.eq_ignore_ascii_case(first));
    !is_taken && !last.contains('.') && before.iter().all(|segment| !segment.is_empty())
}

/// Whether the request is a browser's that goes somewhere: only then it names `text/html`. Scripts and programs name
/// nothing, `*/*` or JSON, and would take the page for an answer of the API.
fn asks_for_a_page(headers: &HeaderMap) -> bool {
    let named = headers.get_all(ACCEPT).filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    named.filter_map(|range| range.split(';').next()).any(|kind| kind.trim().eq_ignore_ascii_case("text/html"))
}

#[cfg(test)]
mod tests;
