//! POST with `Idempotency-Key`: the request runs once per actor, and a repetition gets the same response.

use std::sync::{Mutex, PoisonError};

use tidings_domain::Error;
use tidings_domain::outcome::{Done, IdempotencyHook};
use tidings_domain::ports::{IdempotencyRecord, RecordKey};

use crate::auth::caller::Caller;
use crate::pipeline::idempotency::IdempotencyKey;
use crate::request::RequestContext;
use crate::response::answer::Answer;
use crate::response::problem::{Code, Problem};

impl RequestContext {
    /// Runs a use case and renders its outcome. With an idempotency key, the response commits with the effect, and is
    /// returned again if the same actor repeats the request.
    ///
    /// # Errors
    /// Those of the use case; 422 `idempotency_key_reused`.
    pub async fn run_idempotent<T>(
        &self,
        render: impl Fn(&Done<T>) -> Answer + Send + Sync,
        act: impl AsyncFnOnce(IdempotencyHook<'_, T>) -> Result<Done<T>, Error>,
    ) -> Result<Answer, Problem> {
        let Some((key, fingerprint)) = &self.idempotency else {
            self.make_room_if(self.route.traits.grows).await?;
            return Ok(render(&act(None).await?));
        };
        self.run_once(&self.record_key(key), fingerprint, self.route.traits.grows, render, act).await
    }

    /// Rejects a request of several use cases before any runs, if another request used its idempotency key for one of
    /// them.
    ///
    /// # Errors
    /// 422 `idempotency_key_reused`.
    pub(crate) async fn refuse_reused(&self, parts: usize) -> Result<(), Problem> {
        let Some((key, fingerprint)) = &self.idempotency else { return Ok(()) };
        let key = self.record_key(key);
        for part in 0..parts {
            self.earlier_record(&key.part(part), fingerprint).await?;
        }
        Ok(())
    }

    /// Runs one of several use cases of a request, under a part of its idempotency key. `grows` says whether it creates
    /// or enlarges an object.
    ///
    /// # Errors
    /// As [`RequestContext::run_idempotent`].
    pub(crate) async fn run_part<T>(
        &self,
        part: usize,
        grows: bool,
        render: impl Fn(&Done<T>) -> Answer + Send + Sync,
        act: impl AsyncFnOnce(IdempotencyHook<'_, T>) -> Result<Done<T>, Error>,
    ) -> Result<Answer, Problem> {
        let Some((key, fingerprint)) = &self.idempotency else {
            self.make_room_if(grows).await?;
            return Ok(render(&act(None).await?));
        };
        self.run_once(&self.record_key(key).part(part), fingerprint, grows, render, act).await
    }

    async fn run_once<T>(
        &self,
        key: &RecordKey,
        fingerprint: &[u8; 32],
        grows: bool,
        render: impl Fn(&Done<T>) -> Answer + Send + Sync,
        act: impl AsyncFnOnce(IdempotencyHook<'_, T>) -> Result<Done<T>, Error>,
    ) -> Result<Answer, Problem> {
        if let Some(answer) = self.earlier_answer(key, fingerprint).await? {
            return Ok(answer);
        }
        self.make_room_if(grows).await?;
        let last = Mutex::new(None);
        let rendered = || last.lock().unwrap_or_else(PoisonError::into_inner);
        let idempotency = |done: &Done<T>| {
            let answer = render(done);
            let record = self.record(key, *fingerprint, &answer);
            *rendered() = Some(answer);
            record
        };
        match act(Some(&idempotency)).await {
            Ok(done) => Ok(rendered().take().filter(|_| done.is_recorded()).unwrap_or_else(|| render(&done))),
            // Of two concurrent requests, the second one fails on a conflict with the first: the key of the record, a
            // name, an address or a version.
            Err(error) => match self.earlier_answer(key, fingerprint).await {
                Ok(Some(answer)) => Ok(answer),
                Err(reused) if reused.code() == Code::IdempotencyKeyReused => Err(reused),
                _ => Err(error.into()),
            },
        }
    }

    async fn make_room_if(&self, grows: bool) -> Result<(), Error> {
        if grows { self.make_room().await } else { Ok(()) }
    }

    async fn earlier_answer(&self, key: &RecordKey, fingerprint: &[u8; 32]) -> Result<Option<Answer>, Problem> {
        match self.earlier_record(key, fingerprint).await? {
            Some(record) => Ok(Some(self.answer_of(record).await?)),
            None => Ok(None),
        }
    }

    async fn earlier_record(
        &self,
        key: &RecordKey,
        fingerprint: &[u8; 32],
    ) -> Result<Option<IdempotencyRecord>, Problem> {
        let (method, route) = (self.route.method.as_str(), self.route.path);
        let now = self.state.services.ports.clock.now();
        let record = self.services().ports.idempotency.find(self.access(), method, route, key, now).await?;
        match record {
            Some(record) if record.fingerprint != *fingerprint => Err(Problem::new(Code::IdempotencyKeyReused)),
            record => Ok(record),
        }
    }

    fn record(&self, key: &RecordKey, fingerprint: [u8; 32], answer: &Answer) -> IdempotencyRecord {
        IdempotencyRecord {
            method: self.route.method.as_str().to_owned(),
            route: self.route.path.to_owned(),
            key: key.as_str().to_owned(),
            fingerprint,
            status: answer.status.as_u16(),
            location: answer.location.clone(),
            etag: answer.etag.as_ref().map(ToString::to_string),
            body: self.stored_body(key.as_str(), answer),
            created_at: self.state.services.ports.clock.now(),
        }
    }

    /// Returns the name of the request's record. It contains the actor, so no actor gets the response of another
    /// one.
    fn record_key(&self, key: &IdempotencyKey) -> RecordKey {
        RecordKey::new(&self.actor_of_records(), key.as_str())
    }

    /// Returns the owner of the idempotency record: the user, or the first key of the chain of rotations. So a request
    /// that is retried with a rotated key runs once.
    pub(crate) fn actor_of_records(&self) -> String {
        match self.caller() {
            Caller::Key(holder) => holder.key.lineage.to_string(),
            Caller::Person(person) => person.holder.user.id.to_string(),
            Caller::Nobody => "nobody".to_owned(),
        }
    }

    pub(crate) fn seal_context(&self, key: &str) -> String {
        IdempotencyRecord::seal_context(self.access().workspace(), self.route.path, key)
    }
}

#[cfg(test)]
mod tests;
