//! How many requests to one webhook are under way at once.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tidings_domain::ids::WebhookId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// So many requests to one webhook at once: a receiver must bear no more than this from one process.
const OF_A_WEBHOOK: usize = 8;

/// The webhooks to which requests are under way.
#[derive(Clone, Default)]
pub(crate) struct UnderWay {
    places: Arc<Mutex<HashMap<WebhookId, Arc<Semaphore>>>>,
}

/// A place among the requests to a webhook; dropped, it is free for the next.
pub(crate) struct Place {
    of: UnderWay,
    webhook: WebhookId,
    permit: Option<OwnedSemaphorePermit>,
}

impl UnderWay {
    /// Waits for a place; who came first has it first.
    pub(crate) async fn place(&self, webhook: WebhookId) -> Place {
        let places = {
            let mut all = self.lock();
            Arc::clone(all.entry(webhook).or_insert_with(|| Arc::new(Semaphore::new(OF_A_WEBHOOK))))
        };
        // It is never closed.
        let permit = places.acquire_owned().await.ok();
        Place { of: self.clone(), webhook, permit }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<WebhookId, Arc<Semaphore>>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut all = self.of.lock();
        self.permit = None;
        // Nobody has a place, and nobody waits for one: each would hold it, too.
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
    async fn the_ninth_waits_until_one_of_eight_has_ended_and_other_webhooks_do_not() {
        let under_way = UnderWay::default();
        let [slow, other] = [1, 2].map(|number| WebhookId::from_uuid(Uuid::from_u128(number)));
        let mut places = Vec::new();
        for _ in 0..OF_A_WEBHOOK {
            places.push(under_way.place(slow).await);
        }
        let moment = Duration::from_secs(1);
        assert!(timeout(moment, under_way.place(slow)).await.is_err());
        assert!(timeout(moment, under_way.place(other)).await.is_ok());
        places.pop();
        places.push(timeout(moment, under_way.place(slow)).await.ok().unwrap());
        places.clear();
        assert!(under_way.lock().is_empty(), "unused entries are removed");
    }
}
