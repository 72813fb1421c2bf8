//! Password hashing with Argon2id (RFC 9106), on separate threads.
//!
//! 19 MiB, two passes and one lane are the minimum of OWASP's password storage cheat sheet. A check is slow and needs
//! memory, so few run at once and few wait. If the queue is full, the client with the most waiting checks gets
//! [`TooBusy`]; other requests are not affected.

use std::sync::Arc;
use std::thread;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use async_trait::async_trait;
use futures::channel::oneshot;
use secrecy::{ExposeSecret, SecretString};
use tidings_domain::ports::{Passwords, TooBusy, Waiting};

use crate::fair_queue::FairQueue;
use crate::random::{RandomSource, SystemRandom, bytes, stop};

/// Memory in KiB, passes and lanes.
const COST: (u32, u32, u32) = (19 * 1024, 2, 1);
/// The number of checks that run at once.
const THREADS: usize = 2;
/// The number of checks that may wait: about two seconds of work.
const QUEUE: usize = 64;

type Job = Box<dyn FnOnce() + Send>;

/// Hashes and checks passwords. Its threads end when it is dropped.
pub struct Argon2Passwords {
    queue: Arc<FairQueue<Job>>,
    hashing: Arc<Hashing>,
}

struct Hashing {
    argon2: Argon2<'static>,
    random: Box<dyn RandomSource>,
}

impl Hashing {
    fn new(cost: (u32, u32, u32), random: Box<dyn RandomSource>) -> Self {
        let (memory, passes, lanes) = cost;
        let params = Params::new(memory, passes, lanes, None)
            .unwrap_or_else(|_| stop("the cost parameters of password hashing are invalid"));
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        Self { argon2, random }
    }

    fn hash(&self, password: &[u8]) -> String {
        let salt = bytes::<16>(self.random.as_ref());
        let hash = PasswordHasher::<PasswordHash>::hash_password_with_salt(&self.argon2, password, &salt);
        hash.map_or_else(|_| stop("a password could not be hashed"), |hash| hash.to_string())
    }

    fn matches(&self, password: &[u8], hash: Option<&str>) -> bool {
        let Some(hash) = hash.and_then(|hash| PasswordHash::new(hash).ok()) else {
            // Takes as long as a check, so the time does not reveal whether the account exists.
            self.hash(password);
            return false;
        };
        self.argon2.verify_password(password, &hash).is_ok()
    }
}

impl Argon2Passwords {
    /// Starts the threads.
    pub fn new() -> Self {
        Self::with(COST, THREADS, QUEUE)
    }

    fn with(cost: (u32, u32, u32), threads: usize, queue: usize) -> Self {
        let queue = Arc::new(FairQueue::<Job>::new(queue));
        for number in 0..threads {
            let queue = Arc::clone(&queue);
            let worker = thread::Builder::new().name(format!("passwords-{number}"));
            let work = move || std::iter::from_fn(|| queue.take()).for_each(|job| job());
            if worker.spawn(work).is_err() {
                stop("no thread could be started for password hashing");
            }
        }
        let hashing = Arc::new(Hashing::new(cost, Box::new(SystemRandom::new())));
        Self { queue, hashing }
    }

    /// Queues a job and returns its result. A job that the queue drops also drops the sender of its answer.
    async fn run<T: Send + 'static>(
        &self,
        who: Waiting,
        job: impl FnOnce(&Hashing) -> T + Send + 'static,
    ) -> Result<T, TooBusy> {
        let (answer, answered) = oneshot::channel();
        let hashing = Arc::clone(&self.hashing);
        let job: Job = Box::new(move || {
            // The caller no longer waits, so the job is skipped.
            if !answer.is_canceled() {
                let _ = answer.send(job(&hashing));
            }
        });
        self.queue.put(&who, job);
        answered.await.map_err(|_| TooBusy)
    }
}

impl Default for Argon2Passwords {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Argon2Passwords {
    fn drop(&mut self) {
        self.queue.close();
    }
}

#[async_trait]
impl Passwords for Argon2Passwords {
    async fn hash(&self, password: SecretString, who: Waiting) -> Result<String, TooBusy> {
        self.run(who, move |hashing| hashing.hash(password.expose_secret().as_bytes())).await
    }

    async fn matches(&self, password: SecretString, hash: Option<String>, who: Waiting) -> Result<bool, TooBusy> {
        self.run(who, move |hashing| hashing.matches(password.expose_secret().as_bytes(), hash.as_deref())).await
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use futures::executor::block_on;
    use futures::future::join_all;

    use super::*;

    fn cheap(queue: usize) -> Argon2Passwords {
        Argon2Passwords::with((8, 1, 1), 1, queue)
    }

    fn password(text: &str) -> SecretString {
        text.to_owned().into()
    }

    #[test]
    fn a_password_matches_only_its_own_hash() {
        let passwords = cheap(8);
        let hash = block_on(passwords.hash(password("correct horse"), Waiting::default())).unwrap();
        let matches = |text: &str, hash: &str| {
            block_on(passwords.matches(password(text), Some(hash.to_owned()), Waiting::default()))
        };
        assert_eq!(matches("correct horse", &hash), Ok(true));
        assert_eq!(matches("correct horsf", &hash), Ok(false));
        assert_eq!(matches("correct horse", "not a hash"), Ok(false));
        assert_ne!(
            block_on(passwords.hash(password("correct horse"), Waiting::default())).unwrap(),
            hash,
            "each hash has its own salt"
        );
        assert_eq!(block_on(passwords.matches(password("correct horse"), None, Waiting::default())), Ok(false));
    }

    #[test]
    fn a_hash_contains_the_cost_but_not_the_password() {
        let hash = block_on(Argon2Passwords::new().hash(password("correct horse"), Waiting::default())).unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(!hash.contains("horse"));
    }

    #[test]
    fn a_missing_user_takes_as_long_as_an_existing_one() {
        let passwords = Argon2Passwords::new();
        let hash = block_on(passwords.hash(password("correct horse"), Waiting::default())).unwrap();
        let time = |hash: Option<String>| {
            let best = (0..3).map(|_| {
                let began = Instant::now();
                block_on(passwords.matches(password("wrong"), hash.clone(), Waiting::default())).unwrap();
                began.elapsed()
            });
            best.min().unwrap()
        };
        let (somebody, nobody) = (time(Some(hash)), time(None));
        assert!(nobody * 3 > somebody && somebody * 3 > nobody, "{somebody:?} and {nobody:?}");
    }

    #[test]
    fn a_full_queue_rejects_requests_and_recovers() {
        let passwords = Argon2Passwords::with((19 * 1024, 2, 1), 1, 2);
        let many = join_all((0..32).map(|_| passwords.matches(password("wrong"), None, Waiting::default())));
        let outcomes = block_on(many);
        assert!(outcomes.contains(&Err(TooBusy)) && outcomes.contains(&Ok(false)), "{outcomes:?}");
        let deadline = Instant::now() + Duration::from_secs(30);
        while block_on(passwords.matches(password("wrong"), None, Waiting::default())).is_err() {
            assert!(Instant::now() < deadline, "the queue never empties");
        }
    }
}
