//! Opening a connection that does not use HTTP: checked, to exactly the checked addresses, and in time.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;

use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use url::Host;

use crate::client::Egress;
use crate::failure::EgressError;

impl Egress {
    /// Connects to a host that [`AddressFilter::check_smtp`](crate::AddressFilter::check_smtp) returned. Tries its
    /// addresses in order.
    pub(crate) async fn connect(&self, host: &Host, port: u16) -> Result<TcpStream, EgressError> {
        let addresses = match host {
            Host::Domain(name) => self.resolver.look_up(name).await?,
            Host::Ipv4(address) => vec![(*address).into()],
            Host::Ipv6(address) => vec![(*address).into()],
        };
        let connecting = async {
            let mut last = io::Error::from(io::ErrorKind::NotFound);
            for address in addresses {
                match TcpStream::connect(SocketAddr::new(address, port)).await {
                    Ok(stream) => return Ok(stream),
                    Err(error) => last = error,
                }
            }
            Err(last)
        };
        let stream = timeout(self.settings.connect_time_out, connecting).await.map_err(|_| EgressError::TimedOut)?;
        let stream = stream.map_err(|error| EgressError::of_connection(&error, true))?;
        // A failure costs only speed.
        let _ = stream.set_nodelay(true);
        Ok(stream)
    }

    /// Encrypts the connection; the certificate must be for `host`.
    pub(crate) async fn encrypt(&self, stream: TcpStream, host: &Host) -> Result<TlsStream<TcpStream>, EgressError> {
        let name = match host {
            Host::Domain(name) => ServerName::try_from(name.clone()),
            Host::Ipv4(address) => Ok(ServerName::from(std::net::IpAddr::from(*address))),
            Host::Ipv6(address) => Ok(ServerName::from(std::net::IpAddr::from(*address))),
        };
        let name = name.map_err(|_| EgressError::Failed("The host name cannot be used for TLS.".to_owned()))?;
        let handshake = TlsConnector::from(Arc::clone(&self.tls)).connect(name, stream);
        let handshake = timeout(self.settings.connect_time_out, handshake);
        let encrypted = handshake.await.map_err(|_| EgressError::TimedOut)?;
        encrypted.map_err(|error| EgressError::of_connection(&error, true))
    }
}
