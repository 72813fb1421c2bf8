//! The production services over an in-memory store with the data of a script.

use std::sync::{Arc, Mutex};

use super::bounds::STORE;
use super::caller::CannedCaller;
use super::channel_plans::{ChannelPlans, PUBLIC_URL};
use super::ids::MadeUpIds;
use super::prepared_simulation::PreparedSimulation;
use super::provider::SilentProvider;
use super::recorder::Recorder;
use super::script::Script;
use super::subject::SimulationSubject;
use crate::Tidings;
use crate::access::Access;
use crate::channels::Connector;
use crate::contacts::{ContactRef, NewIdentity};
use crate::error::{Error, Violation};
use crate::ids::ContactId;
use crate::memory::{Contents, FixedClock, MemoryStore, plain_environment};
use crate::ports::{Environment, Ports};
use crate::tidings::TidingsSettings;
use crate::time::Timestamp;

/// Address of a fictional contact on channels with addresses from a provider.
const MADE_UP_ADDRESS: &str = "made-up";

/// A workspace in memory, in simulated time.
pub(super) struct World {
    pub(super) tidings: Tidings,
    pub(super) access: Access,
    pub(super) clock: Arc<FixedClock>,
    pub(super) store: Arc<MemoryStore>,
    pub(super) recorder: Arc<Recorder>,
    /// ID of the simulated contact.
    pub(super) contact: ContactId,
}

impl World {
    /// Creates the workspace for the start of a script, with at most `room` bytes of trace.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an invalid fictional contact, [`Error::Store`] if the data exceeds the limits of the
    /// store.
    pub(super) async fn new(
        simulation: &PreparedSimulation,
        script: &Script,
        at: &str,
        room: usize,
    ) -> Result<Self, Error> {
        let start = script.start_at.unwrap_or(simulation.now);
        let clock = Arc::new(FixedClock::at(start));
        let store = Arc::new(MemoryStore::bounded(STORE));
        let plans = ChannelPlans::new(simulation.contents.channels.clone(), simulation.connectors.clone());
        let recorder = Arc::new(Recorder::new(store.clone(), room, plans));
        let ports = ports(simulation, script, &clock, &store, &recorder);
        let settings = TidingsSettings {
            opt_out_words: simulation.words.clone(),
            public_url: PUBLIC_URL.to_owned(),
            ..TidingsSettings::default()
        };
        let tidings = Tidings::with(ports, settings);
        let access = simulation.access.clone();

        // The contact exists before the flows do, so its creation triggers none of them.
        let mut contents = simulation.contents.clone();
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
            None => make_up(&tidings, simulation, script).await.map_err(|error| placed(error, at))?,
        };
        store.fill(access.workspace(), flows)?;
        Ok(Self { tidings, access, clock, store, recorder, contact })
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clock.at_rest()
    }
}

/// Creates the ports of a simulation; none has network access.
fn ports(
    simulation: &PreparedSimulation,
    script: &Script,
    clock: &Arc<FixedClock>,
    store: &Arc<MemoryStore>,
    recorder: &Arc<Recorder>,
) -> Ports {
    let first = match &simulation.tried {
        SimulationSubject::Flow { flow, .. } => simulation.run.map(|run| (*flow, run)),
        SimulationSubject::Sequence(_) => None,
    };
    let answers = Mutex::new(script.answers.iter().cloned().enumerate().collect());
    let silent = |it| Arc::new(SilentProvider(it)) as Arc<dyn Connector>;
    let environment = Environment {
        ids: Arc::new(MadeUpIds { made: 0.into(), recorder: recorder.clone(), first }),
        caller: Arc::new(CannedCaller { clock: clock.clone(), recorder: recorder.clone(), answers }),
        connectors: simulation.connectors.types().map(silent).collect(),
        ..plain_environment(clock.clone())
    };
    Ports { explains: true, ..Ports::over(store.clone(), environment) }.through(recorder.clone())
}

/// Creates the contact of a script, with an address on every channel.
async fn make_up(tidings: &Tidings, simulation: &PreparedSimulation, script: &Script) -> Result<ContactId, Error> {
    let mut person = script.contact.clone().unwrap_or_default().person;
    // On all other channels the address is the contact's ID, which needs no identity.
    let connectors = &tidings.ports.connectors;
    let reached = simulation.contents.channels.iter().filter(|it| !connectors.addresses_by_contact_id(it.kind));
    let address = || MADE_UP_ADDRESS.to_owned();
    let identities =
        reached.map(|channel| NewIdentity { channel: channel.id, address: address(), opted_in: None }).collect();
    person.identities = Some(identities);
    Ok(tidings.contacts.create(&simulation.access, person, None).await?.value.id)
}

/// Adds the pointer to the script's contact to an error.
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
    /// Returns the reference to the contact, as in a request.
    pub(super) fn person(&self) -> ContactRef {
        ContactRef::Id(self.contact)
    }
}
