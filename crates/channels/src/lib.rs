//! Connectors: one for each channel type.
//!
//! To add a type, add its name to `ChannelKind`, write a module with its `ChannelType` and its `Connector`, and list it
//! in [`connectors`] and [`TYPES`].

mod api;
mod contents;
mod email;
mod event_digest;
mod fields;
mod graph;
mod http;
mod media;
mod pace;
mod parts;
mod sandbox;
mod secrets;
mod send_metrics;
mod sms;
mod split;
mod telegram;
#[cfg(test)]
mod test_api;
#[cfg(test)]
mod test_channel;
mod whatsapp;

use std::sync::Arc;

use tidings_domain::channels::{ChannelType, Connector, Connectors, SANDBOX};
use tidings_domain::ports::{Clock, MediaFiles, Sealer};
use tidings_egress::Egress;

pub use email::EmailConnector;
pub use http::HttpConnector;
pub use pace::ChannelPace;
pub use sandbox::{REJECTED, SandboxConnector};
pub use sms::SmsConnector;
pub use telegram::TelegramConnector;
pub use whatsapp::WhatsappConnector;

/// The types of all connectors, in the order of [`connectors`]. The API description has a schema for each.
pub const TYPES: &[&ChannelType] =
    &[&SANDBOX, &http::HTTP, &telegram::TELEGRAM, &whatsapp::WHATSAPP, &sms::SMS, &email::EMAIL];

/// Returns every connector of this crate. They send through `egress`, sign with the time of `clock`, open secrets with
/// `sealer` and read the files of messages from `files`. Providers call the server at `public_url`, a URL without a
/// path; it is empty if it is unknown.
pub fn connectors(
    egress: Egress,
    clock: Arc<dyn Clock>,
    sealer: Arc<dyn Sealer>,
    files: Arc<dyn MediaFiles>,
    public_url: &str,
) -> Connectors {
    let connectors: Vec<Arc<dyn Connector>> = vec![
        Arc::new(SandboxConnector),
        Arc::new(HttpConnector::new(egress.clone(), Arc::clone(&clock), Arc::clone(&sealer))),
        Arc::new(TelegramConnector::new(egress.clone(), Arc::clone(&sealer))),
        Arc::new(WhatsappConnector::new(egress.clone(), Arc::clone(&sealer))),
        Arc::new(SmsConnector::new(egress.clone(), Arc::clone(&sealer), public_url)),
        Arc::new(EmailConnector::new(egress, clock, sealer, files)),
    ];
    connectors.into()
}

#[cfg(test)]
mod tests {
    use tidings_domain::memory::{FixedClock, MemoryFiles};

    use super::*;
    use crate::test_channel::{local_egress, sealer};

    #[test]
    fn lists_the_type_of_each_connector() {
        let clock = Arc::new(FixedClock::default());
        let files = Arc::new(MemoryFiles::new(clock.clone()));
        let connectors = connectors(local_egress(), clock, Arc::new(sealer()), files, "");
        assert_eq!(connectors.types().collect::<Vec<_>>(), TYPES);
    }

    #[test]
    fn each_provider_may_send_3_mib() {
        for channel_type in TYPES {
            let largest = channel_type.inbound.map_or(usize::MAX, |rule| rule.max_body);
            assert!(largest >= 3 * 1024 * 1024, "{}", channel_type.title);
        }
    }
}
