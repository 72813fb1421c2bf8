//! TLS of outgoing calls.

use std::sync::Arc;

use rustls::{ClientConfig, RootCertStore};

/// The authorities that Mozilla trusts, compiled in, so trust does not depend on the machine.
pub(crate) fn public_roots() -> RootCertStore {
    RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() }
}

/// TLS 1.2 and 1.3 with ring, HTTP/2 preferred. Names its provider, so no process-wide default is needed.
pub(crate) fn client_config(roots: RootCertStore) -> Result<ClientConfig, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

/// The same for protocols other than HTTP.
pub(crate) fn without_protocols(mut config: ClientConfig) -> ClientConfig {
    config.alpn_protocols.clear();
    config
}
