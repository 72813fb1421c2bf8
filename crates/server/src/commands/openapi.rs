//! `tidings openapi`.

use crate::failure::Failure;
use crate::output::print_line;

/// Prints the OpenAPI document. Needs neither settings nor a database.
pub(crate) fn openapi() -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(&tidings_http::openapi(tidings_channels::TYPES));
    print_line(&text.map_err(|error| Failure::with_advice(error.to_string()))?);
    Ok(())
}
