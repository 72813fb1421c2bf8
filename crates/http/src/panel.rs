//! The panel: what people open in a browser, from files that the program brings along.
//!
//! Its one page shows what the path says. So every path that is neither a file nor kept for somebody
//! else is answered with that page, and a reload stays where it was.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, PERMISSIONS_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};

use crate::answer::Answer;
use crate::etag::EntityTag;
use crate::held::{Coding, Held};
use crate::pages;
use crate::preconditions::Preconditions;
use crate::problem::Problem;
use crate::routes::ROUTES;

/// The template of all its paths: an address of the panel may hold an id or the token of an invitation.
pub(crate) const TEMPLATE: &str = "/{panel}";

/// The page of every address.
const PAGE: &str = "index.html";
/// Where its scripts, styles and fonts are; what is not there is not to be remembered as missing.
pub(crate) const ASSETS: &str = "assets";

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

const HEADERS: [(HeaderName, &str); 5] = [
    (CONTENT_SECURITY_POLICY, pages::POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (OPENER_POLICY, "same-origin"),
    (PERMISSIONS_POLICY, "camera=(), geolocation=(), microphone=(), payment=()"),
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
    /// The first segments of paths that are not the panel's.
    kept: Arc<BTreeSet<&'static str>>,
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
        let paths = ROUTES.iter().map(|route| route.path).chain(pages::paths());
        let kept = paths.filter_map(|path| path.split('/').nth(1)).filter(|first| !first.is_empty());
        Self { files: Arc::new(files.into_iter().map(shown).collect()), kept: Arc::new(kept.chain([ASSETS]).collect()) }
    }

    /// What is shown at a path: a file, or the page where the path is an address of the panel.
    pub(crate) fn at(&self, path: &str) -> Option<&Shown> {
        let file = self.files.get(path.strip_prefix('/')?);
        file.or_else(|| self.files.get(PAGE).filter(|_| self.is_address(path)))
    }

    /// Whether a path is one that the page reads. One that is nearly somebody else's, such as `/API/v1`, and one
    /// that looks like a file is a mistake that should be heard of.
    fn is_address(&self, path: &str) -> bool {
        let segments: Vec<&str> = path.split('/').skip(1).collect();
        let Some((last, before)) = segments.split_last() else { return false };
        let first = before.first().unwrap_or(last);
        let is_kept = self.kept.iter().any(|it| it.eq_ignore_ascii_case(first));
        !is_kept && !last.contains('.') && before.iter().all(|segment| !segment.is_empty())
    }
}

impl Shown {
    /// The answer with it, or 304.
    ///
    /// # Errors
    /// 412, and 400 `invalid_header` for preconditions that cannot be read.
    pub(crate) fn answer(&self, request: &HttpRequest) -> Result<Answer, Problem> {
        let caching = if self.immutable { pages::IMMUTABLE } else { "no-cache" };
        let answer = Answer::held(self.content_type, &self.held).tagged(self.tag.clone()).with(CACHE_CONTROL, caching);
        let answer = HEADERS.into_iter().fold(answer, |answer, (name, value)| answer.with(name, value));
        Preconditions::read(request.headers())?.of_get(answer)
    }
}

#[cfg(test)]
mod tests;
