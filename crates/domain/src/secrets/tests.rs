//! Secrets are created, replaced and deleted; their values stay sealed.

use std::sync::Arc;

use futures::executor::block_on;
use secrecy::SecretString;

use super::*;
use crate::access::Access;
use crate::error::Error;
use crate::flows::{FlowService, NewFlow};
use crate::memory::MemoryStore;
use crate::outcome::{Done, ExpectedVersion, Outcome};
use crate::pagination::PageRequest;
use crate::ports::{Change, ChangeSet, Ports, ReferenceChange};
use crate::references::{Deletion, Dependent, LostReference, Referent, Referrer};
use crate::testing::new_workspace;
use crate::webhooks::sender::MockAddressPolicy;

struct Setup {
    secrets: SecretService,
    access: Access,
}

impl Setup {
    fn new() -> Self {
        let mut addresses = MockAddressPolicy::new();
        let check = |url: &str| if url.contains("127.0.0.1") { Err("It is this machine.".to_owned()) } else { Ok(()) };
        addresses.expect_check().returning(check);
        let store = Arc::new(MemoryStore::new());
        let ports = Arc::new(Ports { addresses: Arc::new(addresses), ..Ports::of(store) });
        Self { access: new_workspace(&ports), secrets: SecretService { ports } }
    }

    fn put(&self, name: &str, value: &str, hosts: &[&str], expected: &ExpectedVersion) -> Result<Done<Secret>, Error> {
        let hosts = hosts.iter().map(|host| (*host).to_owned()).collect();
        let command = PutSecret { name: name.to_owned(), value: SecretString::from(value), hosts };
        block_on(self.secrets.put(&self.access, command, expected))
    }

    fn delete(&self, name: &str, deletion: Deletion) -> Result<(), Error> {
        block_on(self.secrets.delete(&self.access, name, deletion, &ExpectedVersion::Any))
    }
}

fn places(error: Error) -> Vec<(String, &'static str)> {
    let Error::Invalid(violations) = error else { panic!("{error:?}") };
    violations.into_iter().map(|it| (it.pointer, it.code)).collect()
}

#[test]
fn creates_a_secret_and_then_replaces_it() {
    let setup = Setup::new();
    let made = setup
        .put("TOKEN", "first", &["API.Example.com", "api.example.com", "b.example"], &ExpectedVersion::Any)
        .unwrap();
    assert_eq!((made.outcome, made.value.version), (Outcome::Created, 1));
    assert_eq!(made.value.hosts, ["api.example.com", "b.example"]);
    assert!(made.value.is_for("b.example") && !made.value.is_for("c.example") && !made.value.is_for("x.b.example"));

    let stale = setup.put("TOKEN", "second", &["c.example"], &ExpectedVersion::OneOf(vec![7])).unwrap_err();
    assert_eq!(stale, Error::PreconditionFailed);
    let replaced = setup.put("TOKEN", "second", &["c.example"], &ExpectedVersion::OneOf(vec![1])).unwrap();
    assert_eq!((replaced.outcome, replaced.value.version, replaced.value.id), (Outcome::Changed, 2, made.value.id));
    let kept = block_on(setup.secrets.get(&setup.access, "TOKEN")).unwrap();
    let opened = setup.secrets.ports.sealer.open(&kept.sealed, &secret_context(kept.id)).unwrap();
    assert_eq!((opened, kept.hosts), (b"second".to_vec(), vec!["c.example".to_owned()]));
    let absent = setup.put("OTHER", "x", &["c.example"], &ExpectedVersion::OneOf(vec![1])).unwrap_err();
    assert_eq!(absent, Error::PreconditionFailed);
}

#[test]
fn rejects_invalid_names_values_and_hosts() {
    let setup = Setup::new();
    for name in ["", "token", "1TOKEN", "_TOKEN", "TO-KEN", "TÖKEN", &"T".repeat(65)] {
        let wrong = setup.put(name, "x", &["a.example"], &ExpectedVersion::Any).unwrap_err();
        assert_eq!(places(wrong), [("/name".to_owned(), "invalid_name")], "{name}");
    }
    setup.put(&"T".repeat(64), &"x".repeat(4_096), &["a.example"], &ExpectedVersion::Any).unwrap();
    for value in ["", &"x".repeat(4_097)] {
        let wrong = setup.put("TOKEN", value, &["a.example"], &ExpectedVersion::Any).unwrap_err();
        assert_eq!(places(wrong), [("/value".to_owned(), "invalid_length")]);
    }
    let hosts = ["*.example.com", "https://a.example", "a.example:443", "a.example.", "a b", "", "127.0.0.1", "a..b"];
    let wrong = places(setup.put("TOKEN", "x", &hosts, &ExpectedVersion::Any).unwrap_err());
    let codes: Vec<_> = wrong.iter().map(|(_, code)| *code).collect();
    let form = "invalid_format";
    assert_eq!(codes, ["no_wildcards", form, form, form, form, form, "forbidden_address", form]);
    assert_eq!(wrong[6].0, "/hosts/6");
    for count in [0, 21] {
        let wrong = setup.put("TOKEN", "x", &vec!["a.example"; count], &ExpectedVersion::Any).unwrap_err();
        assert_eq!(places(wrong), [("/hosts".to_owned(), "invalid_length")]);
    }
}

#[test]
fn limits_a_workspace_to_fifty_secrets() {
    let setup = Setup::new();
    for number in 0..50 {
        setup.put(&format!("TOKEN_{number}"), "x", &["a.example"], &ExpectedVersion::Any).unwrap();
    }
    let full = setup.put("ONE_MORE", "x", &["a.example"], &ExpectedVersion::Any).unwrap_err();
    assert_eq!(full, Error::Full { what: "secrets in a workspace", most: 50 });
    setup.put("TOKEN_0", "y", &["a.example"], &ExpectedVersion::Any).unwrap();
    let page = PageRequest { limit: 100, ..PageRequest::default() };
    assert_eq!(block_on(setup.secrets.list(&setup.access, page)).unwrap().items.len(), 50);
}

#[test]
fn deletes_a_referenced_secret_only_by_force() {
    let setup = Setup::new();
    let ports = &setup.secrets.ports;
    assert_eq!(setup.delete("TOKEN", Deletion::IfUnused), Err(Error::NotFound));
    let secret = setup.put("TOKEN", "x", &["a.example"], &ExpectedVersion::Any).unwrap().value;
    let definition = serde_json::json!({"start": "end", "nodes": [{"id": "end", "type": "end"}]});
    let new = NewFlow { name: "Pay".to_owned(), definition };
    let flow = block_on(FlowService { ports: ports.clone() }.create(&setup.access, new, None)).unwrap().value.id;
    let owner = Referrer::Flow(flow);
    let mut set = ChangeSet::new(setup.access.workspace());
    set.change(Change::Reference(ReferenceChange::Put { owner, targets: vec![Referent::Secret(secret.id)] }));
    block_on(ports.ledger.commit(set)).unwrap();
    setup.put("TOKEN", "y", &["a.example"], &ExpectedVersion::Any).unwrap();
    let in_use = Error::InUse(vec![Dependent::new(owner, "Pay".to_owned())]);
    assert_eq!(setup.delete("TOKEN", Deletion::IfUnused), Err(in_use), "a replaced secret is still in use");
    assert_eq!(block_on(setup.secrets.get(&setup.access, "TOKEN")).map(|it| it.id), Ok(secret.id));
    assert_eq!(setup.delete("TOKEN", Deletion::ByForce), Ok(()));
    assert_eq!(setup.delete("TOKEN", Deletion::IfUnused), Err(Error::NotFound));
    let lost = block_on(ports.references.lost_references(&setup.access, owner)).unwrap();
    let expected = LostReference::deleted(Referent::Secret(secret.id), "TOKEN".to_owned(), ports.clock.now());
    assert_eq!(lost, [expected]);
}
