//! TLS to PostgreSQL, configured with libpq's parameters.
//!
//! Requested TLS always verifies the server: `require` works like `verify-full`. Only `prefer`, which falls back to no
//! TLS, verifies nothing unless an authority is configured.

use std::error::Error;
use std::io;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::verify_server_cert_signed_by_trust_anchor;
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio_postgres::config::SslMode;

use crate::connection::error::StorageError;

/// The driver's message about a server without TLS.
pub(super) const NO_TLS: &str = "does not support TLS";

/// The TLS parameters of an address.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    mode: Option<Mode>,
    roots: Option<String>,
    certificate: Option<String>,
    key: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Disable,
    Prefer,
    Require,
    VerifyCa,
    VerifyFull,
}

/// The parts of a server's certificate that are verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verified {
    Nothing,
    Authority,
    AuthorityAndName,
}

impl Wanted {
    /// Reads a parameter of the address with a decoded value. Returns false if it is not a TLS parameter.
    ///
    /// # Errors
    /// [`StorageError::Open`] for a word unknown to libpq.
    pub(super) fn take(&mut self, name: &str, value: &str) -> Result<bool, StorageError> {
        match name {
            "sslmode" => self.mode = Some(mode(value)?),
            "sslrootcert" => self.roots = Some(value.to_owned()),
            "sslcert" => self.certificate = Some(value.to_owned()),
            "sslkey" => self.key = Some(value.to_owned()),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the mode. Without an explicit one, a configured authority or client certificate requires verification.
    fn mode(&self) -> Mode {
        let names_files = self.roots.is_some() || self.certificate.is_some();
        self.mode.unwrap_or(if names_files { Mode::VerifyFull } else { Mode::Prefer })
    }

    pub(super) fn ssl_mode(&self) -> SslMode {
        match self.mode() {
            Mode::Disable => SslMode::Disable,
            Mode::Prefer => SslMode::Prefer,
            Mode::Require | Mode::VerifyCa | Mode::VerifyFull => SslMode::Require,
        }
    }

    fn verified(&self) -> Verified {
        match self.mode() {
            Mode::Disable | Mode::Prefer if self.roots.is_none() => Verified::Nothing,
            Mode::VerifyCa => Verified::Authority,
            Mode::Disable | Mode::Prefer | Mode::Require | Mode::VerifyFull => Verified::AuthorityAndName,
        }
    }

    /// Returns the TLS configuration and reads the files of the address.
    ///
    /// # Errors
    /// [`StorageError::Open`] with the parameter and its file.
    pub(super) fn client(&self) -> Result<ClientConfig, StorageError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let client = ClientConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions();
        let client = client.map_err(wrong)?;
        let client = match self.verified() {
            Verified::AuthorityAndName => client.with_root_certificates(self.authorities()?),
            Verified::Authority => {
                let roots = Some(self.authorities()?);
                client.dangerous().with_custom_certificate_verifier(Arc::new(WithoutName { roots, provider }))
            }
            Verified::Nothing => {
                let anybody = WithoutName { roots: None, provider };
                client.dangerous().with_custom_certificate_verifier(Arc::new(anybody))
            }
        };
        match (&self.certificate, &self.key) {
            (None, None) => Ok(client.with_no_client_auth()),
            (Some(certificate), Some(key)) => {
                let chain = certificates("sslcert", certificate)?;
                let private = PrivateKeyDer::from_pem_file(key);
                let private = private.map_err(|error| wrong(format!("sslkey {key}: {error}")))?;
                let client = client.with_client_auth_cert(chain, private);
                client.map_err(|error| wrong(format!("sslcert {certificate}: {error}")))
            }
            _ => Err(wrong("sslcert and sslkey must be set together: set both or neither")),
        }
    }

    /// Returns the authorities of the file, or the built-in ones.
    fn authorities(&self) -> Result<RootCertStore, StorageError> {
        let mut roots = RootCertStore::empty();
        match self.roots.as_deref() {
            None | Some("system") => roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
            Some(path) => {
                for certificate in certificates("sslrootcert", path)? {
                    roots.add(certificate).map_err(|error| wrong(format!("sslrootcert {path}: {error}")))?;
                }
            }
        }
        Ok(roots)
    }
}

/// Returns an error about the address. It repeats no values of the address except names.
pub(super) fn wrong(why: impl std::fmt::Display) -> StorageError {
    StorageError::Open(format!("storage.url: {why}"))
}

fn mode(word: &str) -> Result<Mode, StorageError> {
    match word {
        "disable" => Ok(Mode::Disable),
        "prefer" => Ok(Mode::Prefer),
        "require" => Ok(Mode::Require),
        "verify-ca" => Ok(Mode::VerifyCa),
        "verify-full" => Ok(Mode::VerifyFull),
        _ => Err(wrong("sslmode must be disable, prefer, require, verify-ca or verify-full")),
    }
}

fn certificates(parameter: &str, path: &str) -> Result<Vec<CertificateDer<'static>>, StorageError> {
    let unread = |error: rustls::pki_types::pem::Error| wrong(format!("{parameter} {path}: {error}"));
    let found: Vec<_> =
        CertificateDer::pem_file_iter(path).map_err(unread)?.collect::<Result<_, _>>().map_err(unread)?;
    match found.is_empty() {
        true => Err(wrong(format!("{parameter} {path}: the file contains no certificate (PEM)"))),
        false => Ok(found),
    }
}

/// Verifies the authority of a certificate, if authorities are given, but not its name. TLS itself proves that the
/// server has the key.
#[derive(Debug)]
struct WithoutName {
    roots: Option<RootCertStore>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for WithoutName {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if let Some(roots) = &self.roots {
            let algorithms = self.provider.signature_verification_algorithms.all;
            let certificate = ParsedCertificate::try_from(end_entity)?;
            verify_server_cert_signed_by_trust_anchor(&certificate, roots, intermediates, now, algorithms)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

pub(super) fn advice(error: &tokio_postgres::Error, told: &str) -> Option<&'static str> {
    if told.contains(NO_TLS) {
        return Some("turn on `ssl` in PostgreSQL");
    }
    if told.contains("valid client certificate") {
        return Some("set a client certificate of this role with sslcert and sslkey in storage.url");
    }
    match of_tls(error)? {
        rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer) => {
            Some("set the certificate of the server's authority with sslrootcert in storage.url")
        }
        rustls::Error::InvalidCertificate(
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
        ) => Some(
            "use the host name of the server certificate in storage.url; sslmode=verify-ca does not check the name",
        ),
        rustls::Error::InvalidCertificate(CertificateError::Expired | CertificateError::ExpiredContext { .. }) => {
            Some("renew the server certificate, or correct the clock of this machine")
        }
        _ => None,
    }
}

fn of_tls(error: &tokio_postgres::Error) -> Option<&rustls::Error> {
    error.source()?.downcast_ref::<io::Error>()?.get_ref()?.downcast_ref()
}
