//! Requests in the usage log.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::ids::{KeyId, UserId, WorkspaceId};
use crate::time::Timestamp;

/// The maximum number of logged errors of a request.
pub const MOST_ERRORS: usize = 3;

/// The maximum length of a logged location, in bytes.
const MAX_PLACE: usize = 128;

/// One request to the API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageRecord {
    /// The workspace.
    pub workspace: WorkspaceId,
    /// Distinguishes it from other requests of the same time.
    pub id: Uuid,
    /// When the request arrived.
    pub at: Timestamp,
    /// The API key of the request.
    pub key: Option<KeyId>,
    /// The user of the request.
    pub user: Option<UserId>,
    /// HTTP method.
    pub method: String,
    /// Template of the route. It contains no identifiers.
    pub route: String,
    /// HTTP status of the response.
    pub status: u16,
    /// Duration in milliseconds.
    pub duration_ms: i64,
    /// ID of the request, as in the response.
    pub request_id: String,
    /// Network address of the client.
    pub address: String,
    /// Error code of the response.
    pub error_code: Option<String>,
    /// Errors in parts of the request, the first [`MOST_ERRORS`].
    pub errors: Vec<RequestError>,
}

/// An error in one part of a request: its location and code, without values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ApiRequestError))]
pub struct RequestError {
    /// Location in the body (RFC 6901), the first 128 bytes; absent for a parameter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, example = "/email"))]
    pub pointer: Option<String>,
    /// Name of the parameter, the first 128 bytes; absent for a part of the body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false, example = "limit"))]
    pub parameter: Option<String>,
    /// Error code, stable.
    #[cfg_attr(feature = "openapi", schema(example = "invalid_format"))]
    pub code: String,
}

impl RequestError {
    /// Describes an error at a location, which is cut to the maximum length.
    pub fn new(pointer: Option<&str>, parameter: Option<&str>, code: &str) -> Self {
        let cut = |place: &str| {
            let ends = place.char_indices().map(|(begin, it)| begin + it.len_utf8());
            let end = ends.take_while(|end| *end <= MAX_PLACE).last().unwrap_or_default();
            place.get(..end).unwrap_or_default().to_owned()
        };
        Self { pointer: pointer.map(cut), parameter: parameter.map(cut), code: code.to_owned() }
    }
}

/// The use of a key by a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyUse {
    /// The API key.
    pub key: KeyId,
    /// Time of the use.
    pub at: Timestamp,
    /// The client's network address.
    pub address: String,
}

/// One request to the API.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ApiRequest))]
pub struct UsageView {
    /// When the request arrived.
    pub at: Timestamp,
    /// ID of the API key of the request.
    pub key_id: Option<KeyId>,
    /// ID of the user of the request.
    pub user_id: Option<UserId>,
    /// HTTP method.
    pub method: String,
    /// Template of the route.
    pub route: String,
    /// HTTP status of the response.
    pub status: u16,
    /// Duration in milliseconds.
    pub duration_ms: i64,
    /// ID of the request, as in the response.
    pub request_id: String,
    /// Network address of the client.
    pub address: String,
    /// Error code of the response; `null` if it was not an error.
    pub error_code: Option<String>,
    /// Errors in parts of the request, at most three: location and code, without values.
    pub errors: Vec<RequestError>,
}

impl From<&UsageRecord> for UsageView {
    fn from(it: &UsageRecord) -> Self {
        Self {
            at: it.at,
            key_id: it.key,
            user_id: it.user,
            method: it.method.clone(),
            route: it.route.clone(),
            status: it.status,
            duration_ms: it.duration_ms,
            request_id: it.request_id.clone(),
            address: it.address.clone(),
            error_code: it.error_code.clone(),
            errors: it.errors.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_a_long_pointer_at_a_character_boundary() {
        let place = format!("/{}", "ä".repeat(100));
        let cut = RequestError::new(Some(&place), None, "too_long").pointer.unwrap();
        assert_eq!((cut.len(), place.starts_with(&cut)), (127, true));
        let error = RequestError::new(None, Some("limit"), "out_of_range");
        assert_eq!((error.pointer, error.parameter.as_deref()), (None, Some("limit")));
    }

    #[test]
    fn writes_only_the_pointer_or_the_parameter() {
        let json = |error: RequestError| serde_json::to_string(&error).unwrap();
        let pointer = json(RequestError::new(Some("/email"), None, "invalid_format"));
        assert_eq!(pointer, r#"{"pointer":"/email","code":"invalid_format"}"#);
        let parameter = json(RequestError::new(None, Some("limit"), "out_of_range"));
        assert_eq!(parameter, r#"{"parameter":"limit","code":"out_of_range"}"#);
    }
}
