//! The certificate authorities of `egress.extra_ca_file`.

use tidings_egress::Authorities;

use crate::failure::Failure;
use crate::settings::Settings;

/// Reads the file. Without the setting, there are no authorities.
///
/// # Errors
/// [`Failure::Refused`] if the file cannot be read or contains no valid certificate.
pub(crate) fn extra_authorities(settings: &Settings) -> Result<Authorities, Failure> {
    let Some(path) = &settings.extra_ca_file else { return Ok(Authorities::default()) };
    let refused = |why: String| Failure::with_advice(format!("egress.extra_ca_file: {}: {why}", path.display()));
    let text = std::fs::read(path).map_err(|error| refused(error.to_string()))?;
    Authorities::from_pem(&text).map_err(|error| refused(error.to_string()))
}
