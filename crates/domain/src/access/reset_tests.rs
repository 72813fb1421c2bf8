use std::sync::Arc;
use std::time::Duration;

use futures::executor::block_on;
use secrecy::ExposeSecret;
use uuid::Uuid;

use super::*;
use crate::access::{Device, TokenPair};
use crate::ids::TypedId;
use crate::memory::{FixedClock, MemoryStore};
use crate::ports::Ports;

struct Setup {
    clock: Arc<FixedClock>,
    login: LoginService,
    ada: UserId,
}

impl Setup {
    fn new() -> Self {
        let clock = Arc::new(FixedClock::default());
        let ports = Ports { clock: clock.clone(), ..Ports::of(Arc::new(MemoryStore::new())) };
        let login = LoginService { ports: Arc::new(ports) };
        let (now, ada) = (clock.at_rest(), UserId::from_uuid(Uuid::from_u128(0xAD)));
        let user = User::new(ada, "ada@example.com".parse().unwrap(), "Ada", "forgotten", now);
        let mut set = ChangeSet::outside();
        set.change(Change::Insert(Row::User(user)));
        block_on(login.ports.ledger.commit(set)).unwrap();
        Self { clock, login, ada }
    }

    fn link(&self) -> String {
        block_on(self.login.reset_link(self.ada)).unwrap().token.expose_secret().to_owned()
    }

    fn set(&self, token: &str, password: &str) -> Result<User, Error> {
        block_on(self.login.use_reset(token, password.to_owned().into()))
    }

    fn sign_in(&self, password: &str) -> Result<TokenPair, Error> {
        self.sign_in_from("192.0.2.1", password)
    }

    fn sign_in_from(&self, network: &str, password: &str) -> Result<TokenPair, Error> {
        let device = Device { network: network.to_owned(), user_agent: None };
        block_on(self.login.login("ada@example.com", password.to_owned().into(), device))
    }

    fn opens(&self, pair: &TokenPair) -> bool {
        block_on(self.login.authenticate(pair.access_token.expose_secret())).unwrap().is_some()
    }
}

#[test]
fn a_reset_link_works_once_and_ends_all_sessions() {
    let setup = Setup::new();
    let (pair, link) = (setup.sign_in("forgotten").unwrap(), setup.link());
    let (shown, until) = block_on(setup.login.open_reset(&link)).unwrap();
    assert_eq!((shown.id, until), (setup.ada, setup.clock.at_rest().plus(RESET_LIFE)));
    assert!(setup.opens(&pair), "creating a link ends no session");
    // A reset also resets the count of strangers' attempts on the old password.
    let stranger = "198.51.100.7";
    while !matches!(setup.sign_in_from(stranger, "guess"), Err(Error::TooManyAttempts { .. })) {}
    setup.set(&link, "another").unwrap();
    assert!(!setup.opens(&pair) && setup.opens(&setup.sign_in_from(stranger, "another").unwrap()));
    assert_eq!(setup.sign_in("forgotten").err(), Some(Error::Unauthorized));
    assert_eq!(setup.set(&link, "once more").err(), Some(Error::NotFound));
    assert!(block_on(setup.login.open_reset(&link)).is_err());
}

#[test]
fn an_hour_a_newer_link_or_a_new_password_ends_a_reset_link() {
    let setup = Setup::new();
    let (first, second) = (setup.link(), setup.link());
    assert_eq!(setup.set(&first, "another").err(), Some(Error::NotFound));
    setup.clock.set(setup.clock.at_rest().plus(RESET_LIFE - Duration::from_millis(1)));
    assert!(block_on(setup.login.open_reset(&second)).is_ok());
    setup.clock.set(setup.clock.at_rest().plus(Duration::from_millis(1)));
    assert_eq!(setup.set(&second, "another").err(), Some(Error::NotFound));
    let third = setup.link();
    block_on(setup.login.set_password(setup.ada, "by an operator".to_owned().into())).unwrap();
    for token in [third.as_str(), "nonsense", ""] {
        assert_eq!(setup.set(token, "another").err(), Some(Error::NotFound), "{token}");
    }
}
