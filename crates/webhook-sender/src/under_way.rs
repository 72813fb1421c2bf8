//! Limits the number of concurrent requests to one webhook.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tidings_domain::ids::WebhookId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The most concurrent requests to one webhook from one process, to protect the receiver.
const OF_A_WEBHOOK: usize = 8;

/// The webhooks with requests in progress.
#[derive(Clone, Default)]
pub(crate) struct UnderWay {
    places: Arc<Mutex<HashMap<WebhookId, Arc<Semaphore>>>>,
}

/// A permit for one request to a webhook. Dropping it frees the slot.
pub(crate) struct RequestPermit {
    of: UnderWay,
    webhook: WebhookId,
    permit: Option<OwnedSemaphorePermit>,
}

impl UnderWay {
    /// Waits for a permit, first come, first served.
    pub(crate) async fn acquire(&self, webhook: WebhookId) -> RequestPermit {
        let places = {
            let mut all = self.lock();
            Arc::clone(all.entry(webhook).or_insert_with(|| Arc::new(Semaphore::new(OF_A_WEBHOOK))))
        };
        // The semaphore is never closed.
        let permit = places.acquire_owned().await.ok();
        RequestPermit { of: self.clone(), webhook, permit }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<WebhookId, Arc<Semaphore>>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RequestPermit {
    fn drop(&mut self) {
        let mut all = self.of.lock();
        self.permit = None;
        // No request is in progress or waiting: each would hold a reference, too.
        if all.get(&self.webhook).is_some_and(|places| Arc::strong_count(places) == 1) {
            all.remove(&self.webhook);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tidings_domain::ids::TypedId;
    use tokio::time::timeout;
    use uuid::Uuid;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn limits_a_webhook_to_eight_concurrent_attempts() {
        let under_way = UnderWay::default();
        let [slow, other] = [1, 2].map(|number| WebhookId::from_uuid(Uuid::from_u128(number)));
        let mut places = Vec::new();
        for _ in 0..OF_A_WEBHOOK {
            places.push(under_way.acquire(slow).await);
        }
        let moment = Duration::from_secs(1);
        assert!(timeout(moment, under_way.acquire(slow)).await.is_err());
        assert!(timeout(moment, under_way.acquire(other)).await.is_ok());
        places.pop();
        places.push(timeout(moment, under_way.acquire(slow)).await.ok().unwrap());
        places.clear();
        assert!(under_way.lock().is_empty(), "unused entries are removed");
    }
}
