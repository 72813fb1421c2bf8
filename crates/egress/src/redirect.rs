//! The one redirect that a call may follow.

use reqwest::StatusCode;
use reqwest::header::{ACCEPT, HeaderMap, LOCATION, RANGE, USER_AGENT};
use url::Url;

use crate::address_filter::{AddressFilter, AddressRefusal};

/// The checked target of a redirect, or `None` if the response is no redirect with a readable target.
pub(crate) fn target(
    filter: &AddressFilter,
    from: &Url,
    status: StatusCode,
    headers: &HeaderMap,
) -> Result<Option<Url>, AddressRefusal> {
    if ![301, 302, 303, 307, 308].contains(&status.as_u16()) {
        return Ok(None);
    }
    let location = headers.get(LOCATION).and_then(|value| std::str::from_utf8(value.as_bytes()).ok());
    let Some(target) = location.and_then(|location| from.join(location).ok()) else { return Ok(None) };
    if from.scheme() == "https" && target.scheme() != "https" {
        return Err(AddressRefusal::with_reason(
            "The response redirects from https:// to another scheme, which is not followed.",
        ));
    }
    let checked = filter.check_url(target.as_str());
    checked
        .map(Some)
        .map_err(|refused| AddressRefusal::with_reason(format!("The response redirects to a forbidden URL. {refused}")))
}

/// Returns the headers that may be sent to the target: those that cannot contain credentials.
pub(crate) fn without_credentials(headers: &HeaderMap) -> HeaderMap {
    let mut kept = HeaderMap::new();
    for name in [ACCEPT, RANGE, USER_AGENT] {
        if let Some(value) = headers.get(&name) {
            kept.insert(name, value.clone());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follow(filter: &AddressFilter, from: &str, location: &str) -> Result<Option<String>, AddressRefusal> {
        let headers = HeaderMap::from_iter([(LOCATION, location.parse().unwrap())]);
        let target = target(filter, &Url::parse(from).unwrap(), StatusCode::TEMPORARY_REDIRECT, &headers)?;
        Ok(target.map(String::from))
    }

    #[test]
    fn resolves_a_relative_target() {
        let filter = AddressFilter::default();
        for (location, target) in [
            ("https://other.test/b", "https://other.test/b"),
            ("/b?c#d", "https://files.test:8443/b?c"),
            ("b", "https://files.test:8443/media/b"),
            ("//other.test/b", "https://other.test/b"),
        ] {
            let found = follow(&filter, "https://files.test:8443/media/a", location).unwrap();
            assert_eq!(found.as_deref(), Some(target));
        }
    }

    #[test]
    fn rejects_another_scheme_even_if_plain_http_is_allowed() {
        let filter = AddressFilter::new(true, Vec::new()).with_plain_http(vec!["files.test".to_owned()]);
        for location in ["http://files.test/", "ftp://files.test/", "file:///etc/passwd", "data:,x"] {
            assert!(follow(&filter, "https://files.test/", location).is_err(), "{location}");
        }
        assert!(follow(&filter, "http://files.test/", "https://files.test/").unwrap().is_some());
    }

    #[test]
    fn rejects_targets_that_the_address_filter_rejects() {
        for location in
            ["https://10.0.0.1/", "https://localhost/", "https://u:p@files.test/", "https://169.254.169.254/"]
        {
            assert!(follow(&AddressFilter::default(), "https://files.test/", location).is_err(), "{location}");
        }
    }

    #[test]
    fn ignores_a_response_that_is_no_redirect() {
        let from = Url::parse("https://files.test/").unwrap();
        let located = HeaderMap::from_iter([(LOCATION, "https://other.test/".parse().unwrap())]);
        for (status, headers) in [(200, &located), (300, &located), (304, &located), (307, &HeaderMap::new())] {
            let status = StatusCode::from_u16(status).unwrap();
            assert_eq!(target(&AddressFilter::default(), &from, status, headers), Ok(None), "{status}");
        }
    }

    #[test]
    fn keeps_no_header_that_may_contain_credentials() {
        let mut headers = HeaderMap::new();
        for name in ["authorization", "cookie", "x-api-key", "accept", "user-agent", "range", "proxy-authorization"] {
            headers.insert(name, "x".parse().unwrap());
        }
        let kept = without_credentials(&headers);
        let mut names: Vec<&str> = kept.keys().map(|name| name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["accept", "range", "user-agent"]);
    }
}
