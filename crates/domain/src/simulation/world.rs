//! The services of production over a store in memory, with what a script needs in it.

use std::sync::{Arc, Mutex};

use super::bounds::STORE;
use super::caller::CannedCaller;
use super::ids::MadeUpIds;
use super::provider::SilentProvider;
use super::recorder::Recorder;
use super::rehearsal::Rehearsal;
use super::script::Script;
use super::tried::Tried;
use crate::Tidings;
use crate::access::Access;
use crate::channels::Connector;
use crate::contacts::{ContactRef, NewIdentity};
use crate::error::{Error, Violation};
use crate::ids::ContactId;
use crate::memory::{Contents, FixedClock, MemoryStore};
use crate::ports::{Environment, Ports};
use crate::tidings::TidingsSettings;
use crate::time::Timestamp;

/// The address at which somebody made up is reached where a provider gives addresses.
const MADE_UP_ADDRESS: &str = "made-up";

/// A workspace in memory, in time that is decided.
pub(super) struct World {
    pub(super) tidings: Tidings,
    pub(super) access: Access,
    pub(super) clock: Arc<FixedClock>,
    pub(super) store: Arc<MemoryStore>,
    pub(super) recorder: Arc<Recorder>,
    /// Whom it is played with.
    pub(super) contact: ContactId,
}

impl World {
    /// A world at the beginning of a script, which may tell so many bytes.
    ///
    /// # Errors
    /// [`Error::Invalid`] for what cannot be said of somebody, [`Error::Store`] where the store does not take it all.
    pub(super) async fn new(rehearsal: &Rehearsal, script: &Script, at: &str, room: usize) -> Result<Self, Error> {
        let start = script.start_at.unwrap_or(rehearsal.now);
        let clock = Arc::new(FixedClock::at(start));
        let store = Arc::new(MemoryStore::bounded(STORE));
        let recorder = Arc::new(Recorder::new(store.clone(), room));
        let ports = ports(rehearsal, script, &clock, &store, &recorder);
        let settings = TidingsSettings { opt_out_words: rehearsal.words.clone(), ..TidingsSettings::default() };
        let tidings = Tidings::with(ports, settings);
        let access = rehearsal.access.clone();

        // Who is there before the flows are does not set them off.
        let mut contents = rehearsal.contents.clone();
        let flows = Contents {
            flows: std::mem::take(&mut contents.flows),
            sequences: std::mem::take(&mut contents.sequences),
            ..Contents::default()
        };
        let named = contents.contacts.first().map(|contact| contact.id).filter(|_| script.contact.is_none());
        if named.is_none() {
            (contents.contacts, contents.conversations) = (Vec::new(), Vec::new());
        }
        store.fill(access.workspace(), contents)?;
        let contact = match named {
            Some(named) => named,
            None => make_up(&tidings, rehearsal, script).await.map_err(|error| placed(error, at))?,
        };
        store.fill(access.workspace(), flows)?;
        Ok(Self { tidings, access, clock, store, recorder, contact })
    }

    /// Where its clock stands.
    pub(super) fn now(&self) -> Timestamp {
        self.clock.at_rest()
    }
}

/// The ports of a simulation: nothing of them leads outside.
fn ports(
    rehearsal: &Rehearsal,
    script: &Script,
    clock: &Arc<FixedClock>,
    store: &Arc<MemoryStore>,
    recorder: &Arc<Recorder>,
) -> Ports {
    let first = match &rehearsal.tried {
        Tried::Flow { flow, .. } => rehearsal.run.map(|run| (*flow, run)),
        Tried::Sequence(_) => None,
    };
    let answers = Mutex::new(script.answers.iter().cloned().enumerate().collect());
    let silent = |it| Arc::new(SilentProvider(it)) as Arc<dyn Connector>;
    let environment = Environment {
        ids: Arc::new(MadeUpIds { made: 0.into(), recorder: recorder.clone(), first }),
        caller: Arc::new(CannedCaller { clock: clock.clone(), recorder: recorder.clone(), answers }),
        connectors: rehearsal.types.iter().copied().map(silent).collect(),
        ..Environment::plain(clock.clone())
    };
    Ports { explains: true, ..Ports::over(store.clone(), environment) }.through(recorder.clone())
}

/// Makes the contact of a script, who is reached on every channel.
async fn make_up(tidings: &Tidings, rehearsal: &Rehearsal, script: &Script) -> Result<ContactId, Error> {
    let mut person = script.contact.clone().unwrap_or_default().person;
    // On the other channels the address is the contact's ID, which need not be named.
    let connectors = &tidings.ports.connectors;
    let reached = rehearsal.contents.channels.iter().filter(|it| !connectors.addresses_by_contact_id(it.kind));
    let address = || MADE_UP_ADDRESS.to_owned();
    let identities =
        reached.map(|channel| NewIdentity { channel: channel.id, address: address(), opted_in: true }).collect();
    person.identities = Some(identities);
    Ok(tidings.contacts.create(&rehearsal.access, person, None).await?.value.id)
}

/// What is wrong with the contact of a script that stands at `at`.
fn placed(error: Error, at: &str) -> Error {
    match error {
        Error::Invalid(violations) => {
            let at = format!("{at}/contact");
            Error::Invalid(violations.into_iter().map(|violation: Violation| violation.under(&at)).collect())
        }
        other => other,
    }
}

impl World {
    /// The contact, as a request names it.
    pub(super) fn person(&self) -> ContactRef {
        ContactRef::Id(self.contact)
    }
}
