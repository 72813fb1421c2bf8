use crate::ports::Row;
use std::sync::Arc;
use std::time::Duration;

use futures::executor::block_on;
use futures::future::join_all;
use secrecy::ExposeSecret;
use uuid::Uuid;

use super::*;
use crate::access::{AccountPatch, Language, UserAgent};
use crate::memory::{FixedClock, MemoryStore, PlainPasswords};
use crate::patch::Patch;

/// Ada's network, and the network of strangers.
const HOME: &str = "192.0.2.1";
const ELSEWHERE: &str = "198.51.100.7";

struct Setup {
    clock: Arc<FixedClock>,
    passwords: Arc<PlainPasswords>,
    login: LoginService,
}

impl Setup {
    fn new() -> Self {
        let clock = Arc::new(FixedClock::default());
        let passwords = Arc::new(PlainPasswords::default());
        let ports =
            Ports { clock: clock.clone(), passwords: passwords.clone(), ..Ports::of(Arc::new(MemoryStore::new())) };
        let login = LoginService { ports: Arc::new(ports) };
        let now = clock.at_rest();
        let ada = User::new(
            UserId::from_uuid(Uuid::from_u128(0xAD)),
            "ada@example.com".parse().unwrap(),
            "Ada",
            "right",
            now,
        );
        let mut set = ChangeSet::outside();
        set.change(Change::Insert(Row::User(ada)));
        block_on(login.ports.ledger.commit(set)).unwrap();
        Self { clock, passwords, login }
    }

    fn later(&self, wait: Duration) {
        self.clock.set(self.clock.at_rest().plus(wait));
    }

    fn try_login(&self, email: &str, password: &str) -> Result<TokenPair, Error> {
        self.try_from(HOME, email, password)
    }

    fn try_from(&self, network: &str, email: &str, password: &str) -> Result<TokenPair, Error> {
        block_on(self.login.login(email, password.to_owned().into(), device(network)))
    }

    fn sign_in(&self) -> TokenPair {
        self.try_login("Ada@Example.com ", "right").unwrap()
    }

    fn refresh(&self, pair: &TokenPair) -> Result<TokenPair, Error> {
        block_on(self.login.refresh(pair.refresh_token.expose_secret()))
    }

    fn opens(&self, pair: &TokenPair) -> bool {
        block_on(self.login.authenticate(pair.access_token.expose_secret())).unwrap().is_some()
    }
}

fn device(network: &str) -> Device {
    Device { network: network.to_owned(), user_agent: None }
}

fn texts(pair: &TokenPair) -> (String, String) {
    (pair.access_token.expose_secret().to_owned(), pair.refresh_token.expose_secret().to_owned())
}

fn days(days: u64) -> Duration {
    Duration::from_secs(days * 86_400)
}

#[test]
fn access_tokens_expire_after_seven_days() {
    let setup = Setup::new();
    let pair = setup.sign_in();
    assert_eq!((pair.expires_in, pair.refresh_expires_in), (days(7), days(30)));
    assert!(setup.opens(&pair));
    setup.later(days(7) - Duration::from_secs(1));
    assert!(setup.opens(&pair));
    setup.later(Duration::from_secs(1));
    assert!(!setup.opens(&pair), "the access token has expired");
}

#[test]
fn unknown_addresses_and_wrong_passwords_get_the_same_answer() {
    let setup = Setup::new();
    for (email, password) in [("ada@example.com", "wrong"), ("bob@example.com", "right"), ("no address", "right")] {
        for _ in 0..5 {
            assert_eq!(setup.try_login(email, password).err(), Some(Error::Unauthorized), "{email}");
        }
        let waits = setup.try_login(email, password).err();
        assert_eq!(waits, Some(Error::TooManyAttempts { retry_after: Duration::from_secs(2) }), "{email}");
    }
    assert_eq!(setup.passwords.checked(), 15);
}

#[test]
fn counts_all_spellings_of_an_address_together() {
    let setup = Setup::new();
    let spellings = ["ada@example.com", "ADA@example.com", "a\u{200b}da@example.com", "\u{ff41}da@example.com"];
    for spelling in spellings.into_iter().chain(["ad\u{feff}a@example.com"]) {
        assert_eq!(setup.try_login(spelling, "wrong").err(), Some(Error::Unauthorized), "{spelling}");
    }
    for spelling in spellings.into_iter().chain(["ada@exam\u{200b}ple.com"]) {
        assert!(matches!(setup.try_login(spelling, "right"), Err(Error::TooManyAttempts { .. })), "{spelling}");
    }
    assert_eq!(setup.passwords.checked(), 5);
}

#[test]
fn checks_only_five_of_ten_thousand_concurrent_guesses() {
    let setup = Setup::new();
    let guesses =
        (0..10_000).map(|guess| setup.login.login("ada@example.com", format!("guess {guess}").into(), device(HOME)));
    let outcomes = block_on(join_all(guesses));
    assert!(outcomes.iter().all(Result::is_err));
    assert_eq!(setup.passwords.checked(), 5, "only five passwords are checked");
    assert!(matches!(setup.try_login("ada@example.com", "right"), Err(Error::TooManyAttempts { .. })));
    setup.later(Duration::from_secs(2));
    setup.sign_in();
    assert_eq!(
        block_on(setup.login.ports.accounts.login_attempts("ada@example.com")),
        Ok(None),
        "a successful sign-in deletes the count of attempts"
    );
}

#[test]
fn guesses_from_elsewhere_do_not_block_a_known_network() {
    let setup = Setup::new();
    setup.sign_in();
    for _ in 0..1_000 {
        assert!(setup.try_from(ELSEWHERE, "ada@example.com", "guess").is_err());
        setup.later(Duration::from_secs(60));
    }
    assert!(setup.passwords.checked() < 100, "few of a thousand guesses are checked");
    setup.sign_in();
    assert!(
        setup.try_from(ELSEWHERE, "ada@example.com", "right").is_err(),
        "a sign-in on another network does not reset the count"
    );
    setup.later(Duration::from_secs(15 * 60));
    assert!(
        setup.try_from(ELSEWHERE, "ada@example.com", "right").is_ok(),
        "the right password is accepted after the wait"
    );
}

#[test]
fn throttles_guesses_from_a_known_network_separately() {
    let setup = Setup::new();
    setup.sign_in();
    for _ in 0..5 {
        assert_eq!(setup.try_login("ada@example.com", "wrong").err(), Some(Error::Unauthorized));
    }
    assert!(matches!(setup.try_login("ada@example.com", "right"), Err(Error::TooManyAttempts { .. })));
    assert!(setup.try_from(ELSEWHERE, "ada@example.com", "right").is_ok(), "each network has its own count");
    // A typed email cannot equal the name of a known network's count.
    let typed = format!(" {HOME} ada@example.com");
    assert_eq!(setup.try_from(ELSEWHERE, &typed, "wrong").err(), Some(Error::Unauthorized));
}

#[test]
fn guesses_at_sign_in_do_not_block_a_password_change() {
    let setup = Setup::new();
    let pair = setup.sign_in();
    let (holder, _) = block_on(setup.login.authenticate(pair.access_token.expose_secret())).unwrap().unwrap();
    for network in [HOME, ELSEWHERE] {
        for _ in 0..6 {
            assert!(setup.try_from(network, "ada@example.com", "guess").is_err());
        }
    }
    let change = |current: &str| {
        block_on(setup.login.change_password(&holder, current.to_owned().into(), "another".to_owned().into()))
    };
    for _ in 0..4 {
        assert!(matches!(change("wrong"), Err(Error::Invalid(_))));
    }
    assert_eq!(change("right"), Ok(()));
    for _ in 0..5 {
        assert!(matches!(change("wrong"), Err(Error::Invalid(_))));
    }
    assert!(matches!(change("another"), Err(Error::TooManyAttempts { .. })), "wrong current passwords are throttled");
}

#[test]
fn requires_the_password_to_change_the_email_but_not_the_name() {
    let setup = Setup::new();
    let (pair, other) = (setup.sign_in(), setup.sign_in());
    let (holder, _) = block_on(setup.login.authenticate(pair.access_token.expose_secret())).unwrap().unwrap();
    let change = |name: Option<&str>, email: Option<&str>, current: Option<&str>| {
        let patch = AccountPatch {
            name: name.map(str::to_owned),
            language: Patch::Keep,
            email: email.map(|email| email.parse().unwrap()),
            current_password: current.map(|it| it.to_owned().into()),
        };
        block_on(setup.login.change_account(&holder, patch))
    };
    let renamed = change(Some("Ada L."), Some("ada@example.com"), None).unwrap();
    assert_eq!((renamed.name.as_str(), renamed.version), ("Ada L.", 2), "an unchanged email needs no password");
    assert_eq!(change(Some("Ada L."), None, None).unwrap().version, 2, "an unchanged account keeps its version");
    assert!(setup.opens(&other));

    let code = |error: Error| match error {
        Error::Invalid(wrong) => wrong[0].code,
        error => panic!("{error:?}"),
    };
    assert_eq!(code(change(None, Some("ada@example.org"), None).unwrap_err()), "required");
    assert_eq!(code(change(None, Some("ada@example.org"), Some("wrong")).unwrap_err()), "wrong_password");
    let bob =
        User { id: UserId::from_uuid(Uuid::from_u128(0xB0)), email: "bob@example.com".parse().unwrap(), ..renamed };
    let mut set = ChangeSet::outside();
    set.change(Change::Insert(Row::User(bob)));
    block_on(setup.login.ports.ledger.commit(set)).unwrap();
    let taken = change(None, Some("Bob@example.com"), Some("right")).unwrap_err();
    assert!(matches!(taken, Error::Taken { field: "email", .. }), "{taken:?}");

    assert_eq!(change(None, Some("ada@example.org"), Some("right")).unwrap().email.as_str(), "ada@example.org");
    assert!(setup.opens(&pair) && !setup.opens(&other), "only the other sessions end");
    assert!(setup.try_login("ada@example.org", "right").is_ok());
    assert_eq!(setup.try_login("ada@example.com", "right").err(), Some(Error::Unauthorized));
}

#[test]
fn the_language_changes_without_the_password_and_ends_no_session() {
    let setup = Setup::new();
    let (pair, other) = (setup.sign_in(), setup.sign_in());
    let (holder, _) = block_on(setup.login.authenticate(pair.access_token.expose_secret())).unwrap().unwrap();
    let change = |language: Patch<Language>| {
        let user = block_on(setup.login.change_account(&holder, AccountPatch { language, ..AccountPatch::default() }));
        user.map(|it| (it.language, it.version)).unwrap()
    };
    assert_eq!(change(Patch::Keep), (None, 1));
    assert_eq!(change(Patch::Set(Language::De)), (Some(Language::De), 2));
    assert_eq!(change(Patch::Set(Language::De)), (Some(Language::De), 2), "an unchanged account keeps its version");
    assert_eq!(change(Patch::Clear), (None, 3));
    assert!(setup.opens(&pair) && setup.opens(&other));
}

#[test]
fn a_repeated_refresh_returns_the_same_pair_within_20_seconds() {
    let setup = Setup::new();
    let first = setup.sign_in();
    setup.later(Duration::from_secs(60));
    let second = setup.refresh(&first).unwrap();
    assert_ne!(texts(&first), texts(&second));
    setup.later(Duration::from_secs(20));
    assert_eq!(texts(&setup.refresh(&first).unwrap()), texts(&second), "the same successor pair");
    assert!(setup.opens(&second));
    assert!(setup.refresh(&second).is_ok());
}

#[test]
fn concurrent_refreshes_return_the_same_pair() {
    let setup = Setup::new();
    let first = setup.sign_in();
    let presented = first.refresh_token.expose_secret();
    let pairs = block_on(join_all((0..20).map(|_| setup.login.refresh(presented))));
    let pairs: Vec<_> = pairs.into_iter().map(|pair| texts(&pair.unwrap())).collect();
    assert!(pairs.iter().all(|pair| *pair == pairs[0]));
}

#[test]
fn a_late_reuse_of_a_refresh_token_ends_the_session() {
    let setup = Setup::new();
    let (first, elsewhere) = (setup.sign_in(), setup.sign_in());
    let second = setup.refresh(&first).unwrap();
    setup.later(Duration::from_millis(20_001));
    assert_eq!(setup.refresh(&first).err(), Some(Error::Unauthorized));
    assert_eq!(setup.refresh(&second).err(), Some(Error::Unauthorized), "the successor is revoked too");
    assert!(!setup.opens(&second), "the access token of the successor is revoked");
    assert!(setup.opens(&elsewhere), "other sessions continue");
}

#[test]
fn sessions_expire_after_30_idle_days_and_90_in_total() {
    let setup = Setup::new();
    let mut pair = setup.sign_in();
    for _ in 0..3 {
        setup.later(days(29));
        pair = setup.refresh(&pair).unwrap();
    }
    assert_eq!((pair.expires_in, pair.refresh_expires_in), (days(3), days(3)), "three of 90 days are left");
    setup.later(days(3));
    assert_eq!(setup.refresh(&pair).err(), Some(Error::Unauthorized));
    assert!(!setup.opens(&pair));

    let unused = setup.sign_in();
    setup.later(days(30));
    assert_eq!(setup.refresh(&unused).err(), Some(Error::Unauthorized));
}

#[test]
fn access_and_refresh_tokens_are_not_interchangeable() {
    let setup = Setup::new();
    let pair = setup.sign_in();
    assert_eq!(block_on(setup.login.refresh(pair.access_token.expose_secret())).err(), Some(Error::Unauthorized));
    let opened = block_on(setup.login.authenticate(pair.refresh_token.expose_secret()));
    assert_eq!(opened, Ok(None));
}

#[test]
fn an_ended_session_is_rejected_and_can_be_ended_again() {
    let setup = Setup::new();
    let pair = setup.sign_in();
    let (holder, _) = block_on(setup.login.authenticate(pair.access_token.expose_secret())).unwrap().unwrap();
    for _ in 0..2 {
        assert_eq!(block_on(setup.login.end(holder.session.id)), Ok(()));
    }
    assert!(!setup.opens(&pair));
    assert_eq!(setup.refresh(&pair).err(), Some(Error::Unauthorized));
}

#[test]
fn changing_the_password_ends_all_other_sessions() {
    let setup = Setup::new();
    let (here, elsewhere) = (setup.sign_in(), setup.sign_in());
    let (holder, _) = block_on(setup.login.authenticate(here.access_token.expose_secret())).unwrap().unwrap();
    let change = |current: &str| {
        block_on(setup.login.change_password(&holder, current.to_owned().into(), "another".to_owned().into()))
    };
    assert!(matches!(change("wrong"), Err(Error::Invalid(errors)) if errors[0].pointer == "/current_password"));
    assert!(setup.opens(&elsewhere));
    assert_eq!(change("right"), Ok(()));
    assert!(setup.opens(&here) && !setup.opens(&elsewhere));
    assert_eq!(setup.try_login("ada@example.com", "right").err(), Some(Error::Unauthorized));
    assert!(setup.try_login("ada@example.com", "another").is_ok());
}

#[test]
fn replaces_signing_keys_after_30_days_and_accepts_old_tokens() {
    let setup = Setup::new();
    setup.sign_in();
    let first = block_on(setup.login.ports.accounts.newest_signing_key()).unwrap().unwrap();
    setup.later(days(29));
    let token = setup.sign_in();
    assert_eq!(block_on(setup.login.ports.accounts.newest_signing_key()).unwrap().unwrap().id, first.id);
    setup.later(days(1));
    setup.sign_in();
    assert_ne!(block_on(setup.login.ports.accounts.newest_signing_key()).unwrap().unwrap().id, first.id);
    assert!(setup.opens(&token));
}

#[test]
fn lists_and_ends_the_sessions_of_a_user() {
    let setup = Setup::new();
    let here = setup.sign_in();
    let (holder, _) = block_on(setup.login.authenticate(here.access_token.expose_secret())).unwrap().unwrap();
    let ada = holder.user.id;
    setup.later(Duration::from_secs(60));
    let browser = Device { network: ELSEWHERE.to_owned(), user_agent: UserAgent::read(b"Browser/1.0") };
    let login = setup.login.login("ada@example.com", "right".to_owned().into(), browser);
    let elsewhere = block_on(login).unwrap();
    let began = setup.clock.at_rest();
    setup.later(Duration::from_secs(60));
    setup.refresh(&here).unwrap();
    let refreshed = setup.clock.at_rest();

    let live = block_on(setup.login.sessions(ada)).unwrap();
    let shown: Vec<_> = live.iter().map(|it| (it.session.network.as_deref(), it.last_used_at)).collect();
    assert_eq!(shown, [(Some(ELSEWHERE), began), (Some(HOME), refreshed)], "sessions are listed newest first");
    assert_eq!(live[0].session.user_agent, UserAgent::read(b"Browser/1.0"));

    let other = live[0].session.id;
    let stranger = UserId::from_uuid(Uuid::from_u128(0xE));
    assert_eq!(block_on(setup.login.end_own(stranger, other)), Err(Error::NotFound));
    assert!(setup.opens(&elsewhere));
    assert_eq!(block_on(setup.login.end_own(ada, other)), Ok(()));
    assert!(!setup.opens(&elsewhere) && setup.opens(&here));
    assert_eq!(block_on(setup.login.end_own(ada, other)), Err(Error::NotFound), "an ended session is not found");
    assert_eq!(block_on(setup.login.sessions(ada)).unwrap().len(), 1);
    assert_eq!(block_on(setup.login.end_own(ada, holder.session.id)), Ok(()), "a user can end the current session");
    assert!(!setup.opens(&here));
}
