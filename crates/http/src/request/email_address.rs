//! Email addresses in requests.

use tidings_domain::contacts::Email;
use tidings_domain::read::schema::{Annotate, Describe};
use tidings_domain::read::{Read, Violation, string};
use utoipa::openapi::SchemaFormat;

/// Reads an email address and converts it to lower case; otherwise `invalid_format`.
pub(crate) fn email() -> impl Read<Email> + Describe {
    string(|text| text.parse::<Email>().map_err(|error| Violation::at_root("invalid_format", error.to_string())))
        .with(|it| it.min_length(Some(3)).max_length(Some(254)).format(Some(SchemaFormat::Custom("email".to_owned()))))
}
