//! The check that a request to an inbound address is the provider's.

use super::InboundService;
use crate::channels::{
    Channel, Connector, Endpoint, InboundRequest, PlainSecrets, StoredSecrets, Unverified, secret_context,
    write_secrets,
};

impl InboundService {
    /// Verifies a request by the secrets of the channel, otherwise by the replaced ones that are still valid.
    ///
    /// # Errors
    /// [`Unverified`], as [`Connector::verify`].
    pub fn verify(
        &self,
        connector: &dyn Connector,
        channel: &Channel,
        request: &InboundRequest,
    ) -> Result<(), Unverified> {
        let result = connector.verify(channel, request);
        if result != Err(Unverified::Signature) {
            return result;
        }
        let earlier = self.with_replaced_secrets(channel);
        let is_valid = earlier.iter().any(|channel| connector.verify(channel, request).is_ok());
        if is_valid { Ok(()) } else { result }
    }

    /// Returns the channel once with each replaced secret that is still valid. Most channels have none.
    fn with_replaced_secrets(&self, channel: &Channel) -> Vec<Channel> {
        let Some(endpoint) = &channel.endpoint else { return Vec::new() };
        let context = secret_context(channel.id);
        let text = self.ports.sealer.open(&endpoint.secrets, &context).ok();
        let text = text.and_then(|text| String::from_utf8(text).ok()).unwrap_or_default();
        let earlier = StoredSecrets::read(&text).earlier(self.ports.clock.now());
        let with = |secrets: PlainSecrets| {
            let secrets = self.ports.sealer.seal(write_secrets(&secrets).as_bytes(), &context);
            Channel { endpoint: Some(Endpoint { secrets, ..endpoint.clone() }), ..channel.clone() }
        };
        earlier.into_iter().map(with).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;
    use crate::channels::{ConfigField, MockConnector, Shape, read_secrets};
    use crate::conversations::OptOutWords;
    use crate::memory::{FixedClock, PlainSealer};
    use crate::ports::{Ports, Sealer};
    use crate::testing::a_channel;
    use crate::time::Timestamp;

    const KEY: ConfigField = ConfigField {
        name: "key",
        title: "Key",
        description: "Signs requests.",
        shape: Shape::Text { least: 1, most: 100 },
        required: true,
        fixed: false,
        private: true,
        verifies: true,
        example: None,
    };
    const NOW: Timestamp = Timestamp::EPOCH_2026;

    fn key(key: &str) -> PlainSecrets {
        BTreeMap::from([("key".to_owned(), key.to_owned())])
    }

    /// Accepts requests with the key of the channel as their query.
    fn provider() -> MockConnector {
        let mut provider = MockConnector::new();
        provider.expect_verify().returning(|channel, request| {
            let sealed = &channel.endpoint.as_ref().unwrap().secrets;
            let text = PlainSealer.open(sealed, &secret_context(channel.id)).unwrap();
            match read_secrets(&String::from_utf8(text).unwrap()).get("key") {
                Some(key) if *key == request.query => Ok(()),
                Some(_) => Err(Unverified::Signature),
                None => Err(Unverified::Secret),
            }
        });
        provider
    }

    fn channel_with(secrets: &str) -> Channel {
        let channel = a_channel();
        let endpoint = Endpoint {
            config: serde_json::Map::new(),
            secret_hints: BTreeMap::new(),
            secrets: PlainSealer.seal(secrets.as_bytes(), &secret_context(channel.id)),
            inbound_token: Vec::new(),
            inbound_digest: [7; 32],
        };
        Channel { endpoint: Some(endpoint), ..channel }
    }

    #[test]
    fn accepts_a_replaced_secret_until_its_overlap_ends() {
        let mut stored = StoredSecrets::read(&serde_json::to_string(&key("first")).unwrap());
        let hour = Duration::from_secs(3_600);
        stored.replace(&[KEY], &key("second"), (NOW, hour));
        stored.replace(&[KEY], &key("third"), (NOW, hour));
        let channel = channel_with(&stored.write());
        let signed = |by: &str, at: Timestamp| {
            let clock = Arc::new(FixedClock::at(at));
            let ports = Ports { clock, sealer: Arc::new(PlainSealer), ..Ports::mocked() };
            let inbound = InboundService { ports: Arc::new(ports), words: OptOutWords::default() };
            let request = InboundRequest { query: by.to_owned(), ..InboundRequest::default() };
            inbound.verify(&provider(), &channel, &request)
        };
        for by in ["first", "second", "third"] {
            assert_eq!(signed(by, NOW), Ok(()), "{by}");
        }
        assert_eq!(signed("other", NOW), Err(Unverified::Signature));
        let end = NOW.plus(hour);
        assert_eq!(signed("third", end), Ok(()));
        assert_eq!(signed("second", end), Err(Unverified::Signature));
    }

    #[test]
    fn reports_that_the_secrets_cannot_be_read() {
        let inbound = InboundService { ports: Arc::new(Ports::mocked()), words: OptOutWords::default() };
        let result = inbound.verify(&provider(), &channel_with("{}"), &InboundRequest::default());
        assert_eq!(result, Err(Unverified::Secret));
    }
}
