//! The limit of requests to inbound addresses with unknown tokens. Each costs a look-up in the database.

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tidings_domain::time::Timestamp;

use crate::limits::rate_windows::RateWindows;

/// Maximum number of requests with unknown tokens from one client network in a rolling minute.
const UNKNOWN_TOKENS: u32 = 120;
/// The remembered tokens are forgotten when there are this many. There is one for each channel that receives requests.
const MAX_REMEMBERED: usize = 50_000;

/// Counts requests with tokens that no channel has. Tokens of channels are remembered: providers in a network
/// that uses up the limit are still admitted.
#[derive(Default)]
pub(crate) struct UnknownTokens {
    requests: RateWindows<IpAddr>,
    /// Digests of the tokens of channels.
    remembered: Mutex<HashSet<[u8; 32]>>,
}

impl UnknownTokens {
    /// Returns the seconds to wait if the client network has reached the limit; `None` if the token can be looked up.
    pub(crate) fn wait(&self, digest: &[u8; 32], network: IpAddr, now: Timestamp) -> Option<u32> {
        if self.lock().contains(digest) { None } else { self.requests.wait(&network, UNKNOWN_TOKENS, now) }
    }

    /// Remembers the token of a channel.
    pub(crate) fn remember(&self, digest: [u8; 32]) {
        let mut remembered = self.lock();
        if remembered.len() >= MAX_REMEMBERED {
            remembered.clear();
        }
        remembered.insert(digest);
    }

    /// Counts a request with a token that no channel has, or has any more.
    pub(crate) fn count(&self, digest: &[u8; 32], network: IpAddr, now: Timestamp) {
        self.lock().remove(digest);
        self.requests.admit(network, UNKNOWN_TOKENS, now);
    }

    /// Counts a request with a token that the server did not make. Returns the seconds to wait if the client network has
    /// reached the limit.
    pub(crate) fn count_invalid(&self, network: IpAddr, now: Timestamp) -> Option<u32> {
        let decision = self.requests.admit(network, UNKNOWN_TOKENS, now);
        (!decision.admitted).then_some(decision.reset_seconds)
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<[u8; 32]>> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::Method;
    use actix_web::test::TestRequest;

    use super::*;
    use crate::testing::{Mocks, Reply};

    const NOW: Timestamp = Timestamp::EPOCH_2026;

    fn network(number: u8) -> IpAddr {
        [192, 0, 2, number].into()
    }

    #[test]
    fn admits_tokens_of_channels_beyond_the_limit() {
        let tokens = UnknownTokens::default();
        tokens.remember([7; 32]);
        for _ in 0..UNKNOWN_TOKENS {
            assert_eq!(tokens.wait(&[1; 32], network(1), NOW), None);
            tokens.count(&[1; 32], network(1), NOW);
        }
        assert_eq!(tokens.wait(&[7; 32], network(1), NOW), None, "a channel has this token");
        assert!(tokens.wait(&[8; 32], network(1), NOW).is_some());
        assert_eq!(tokens.wait(&[8; 32], network(2), NOW), None, "another network");
        tokens.count(&[7; 32], network(1), NOW);
        assert!(tokens.wait(&[7; 32], network(1), NOW).is_some(), "the channel was deleted");
    }

    #[actix_web::test]
    async fn limits_the_lookups_of_unknown_tokens() {
        let mut ports = Mocks::default();
        let lookups = usize::try_from(UNKNOWN_TOKENS).unwrap() + 2;
        ports.channels.expect_by_inbound_digest().times(lookups).returning(|_| Ok(None));
        let api = ports.serve();
        let send = async |token: &str, client: u8| -> Reply {
            let request = TestRequest::with_uri(&format!("/inbound/{token}")).method(Method::POST);
            api.send(request.peer_addr((network(client), 4_000).into())).await
        };
        for number in 0..UNKNOWN_TOKENS {
            let reply = send(&format!("inbound-{}", number % 100), 1).await;
            assert_eq!(reply.problem(), (404, "not_found".to_owned()));
        }
        let refused = send("inbound-200", 1).await;
        assert_eq!(refused.problem(), (429, "rate_limited".to_owned()));
        let seconds: u64 = refused.header("retry-after").unwrap().parse().unwrap();
        assert!((1..=61).contains(&seconds), "{seconds}");
        assert_eq!(send("no-token", 1).await.problem().0, 404, "its form is wrong, so it is not looked up");
        assert_eq!(send("inbound-200", 2).await.problem().0, 404);
        api.clock.set(Timestamp::from_millis(api.clock.at_rest().millis() + 61_000));
        assert_eq!(send("inbound-200", 1).await.problem().0, 404);
    }
}
