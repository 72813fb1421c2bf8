//! Retries of searches in a streamed response.

use std::time::Duration;

use tidings_domain::Error;
use tidings_domain::ports::StoreError;
use tokio::time::sleep;

/// The maximum number of retries of a search.
const RETRIES: u32 = 20;
/// The pause before each retry, in addition to the wait for a slot.
const PAUSE: Duration = Duration::from_secs(1);

/// The retries of a search without a slot. A response that has started cannot become 429, and the client would lose the
/// data received so far.
#[derive(Debug)]
pub(crate) struct Retries {
    left: u32,
}

impl Default for Retries {
    fn default() -> Self {
        Self { left: RETRIES }
    }
}

impl Retries {
    /// Waits before a retry. Returns false if the error is final.
    pub(crate) async fn wait_after(&mut self, error: &Error) -> bool {
        let may_retry = self.left > 0 && matches!(error, Error::Store(StoreError::Crowded));
        if may_retry {
            self.left -= 1;
            sleep(PAUSE).await;
        }
        may_retry
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn retries_only_a_search_that_found_no_place() {
        let crowded = Error::Store(StoreError::Crowded);
        let mut retries = Retries::default();
        assert!(!retries.wait_after(&Error::Store(StoreError::TooSlow)).await);
        for _ in 0..RETRIES {
            assert!(retries.wait_after(&crowded).await);
        }
        assert!(!retries.wait_after(&crowded).await);
    }
}
