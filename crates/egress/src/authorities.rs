//! Certificate authorities that an operator trusts in addition to the public ones.

use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

/// Certificate authorities from a PEM file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Authorities(Vec<CertificateDer<'static>>);

/// The PEM text cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AuthoritiesError {
    /// The text has no certificate.
    #[error("it contains no certificate: expected PEM, with -----BEGIN CERTIFICATE-----")]
    Empty,
    /// One of its certificates, counted from 1, is not valid.
    #[error("certificate {0} is not a valid X.509 certificate in PEM")]
    Invalid(usize),
}

impl Authorities {
    /// Reads all certificates of a PEM text. Other objects, such as keys, are ignored.
    ///
    /// # Errors
    /// [`AuthoritiesError`].
    pub fn from_pem(text: &[u8]) -> Result<Self, AuthoritiesError> {
        let (mut found, mut store) = (Vec::new(), RootCertStore::empty());
        for (number, certificate) in (1..).zip(CertificateDer::pem_slice_iter(text)) {
            let certificate = certificate.map_err(|_| AuthoritiesError::Invalid(number))?;
            store.add(certificate.clone()).map_err(|_| AuthoritiesError::Invalid(number))?;
            found.push(certificate);
        }
        if found.is_empty() { Err(AuthoritiesError::Empty) } else { Ok(Self(found)) }
    }

    /// The number of certificates.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds them to `roots`. Their form was checked, so none is skipped.
    pub(crate) fn add_to(&self, roots: &mut RootCertStore) {
        roots.add_parsable_certificates(self.0.iter().cloned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_server::certificate_pem;

    #[test]
    fn reads_all_certificates_of_a_file() {
        let pem = certificate_pem();
        assert_eq!(Authorities::from_pem(pem.as_bytes()).unwrap().len(), 1);
        let two = format!("# internal\n{pem}\n{pem}");
        assert_eq!(Authorities::from_pem(two.as_bytes()).unwrap().len(), 2);
    }

    #[test]
    fn rejects_a_file_without_a_usable_certificate() {
        assert_eq!(Authorities::from_pem(b""), Err(AuthoritiesError::Empty));
        assert_eq!(Authorities::from_pem(b"hello"), Err(AuthoritiesError::Empty));
        let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
        assert_eq!(Authorities::from_pem(broken.as_bytes()), Err(AuthoritiesError::Invalid(1)));
        let second = format!("{}{broken}", certificate_pem());
        assert_eq!(Authorities::from_pem(second.as_bytes()), Err(AuthoritiesError::Invalid(2)));
        let cut = "-----BEGIN CERTIFICATE-----\nAAAA\n";
        assert_eq!(Authorities::from_pem(cut.as_bytes()), Err(AuthoritiesError::Invalid(1)));
    }
}
