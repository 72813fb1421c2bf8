//! A simulation with all its data loaded.

use futures::FutureExt;
use serde_json::Value;

use super::bounds::MAX_TOLD;
use super::coverage::Coverage;
use super::script::Script;
use super::subject::SimulationSubject;
use super::view::{NotVisited, Simulated};
use crate::access::Access;
use crate::channels::Connectors;
use crate::conversations::OptOutWords;
use crate::error::Error;
use crate::ids::{FlowId, RunId};
use crate::memory::Contents;
use crate::ports::StoreError;
use crate::time::Timestamp;

/// A script with its pointer in the request or definition.
#[derive(Debug, Clone)]
pub(super) struct PlacedScript {
    pub(super) at: String,
    pub(super) script: Script,
}

/// A simulation with all its data loaded.
#[derive(Debug, Clone)]
pub struct PreparedSimulation {
    pub(super) access: Access,
    pub(super) tried: SimulationSubject,
    /// Number of the published version.
    pub(super) version: Option<i64>,
    /// The workspace data, and the contact of the request.
    pub(super) contents: Contents,
    pub(super) scripts: Vec<PlacedScript>,
    pub(super) run: Option<RunId>,
    /// The connectors of the available channel types. They plan messages, and send none.
    pub(super) connectors: Connectors,
    pub(super) words: OptOutWords,
    pub(super) now: Timestamp,
    pub(super) left_out: Vec<FlowId>,
}

impl PreparedSimulation {
    /// Runs all scripts, each from the beginning. `more` is called before each unit of work and returns whether time
    /// is left.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an invalid contact or an unknown channel in a script; [`Error::Store`].
    pub fn play(&self, more: &(dyn Fn() -> bool + Sync)) -> Result<Simulated, Error> {
        // The store in memory never suspends.
        let never = || Error::Store(StoreError::Corrupt("an in-memory store did not answer at once".to_owned()));
        self.play_all(more).now_or_never().ok_or_else(never)?
    }

    async fn play_all(&self, more: &(dyn Fn() -> bool + Sync)) -> Result<Simulated, Error> {
        let (mut simulations, mut visited, mut room) = (Vec::new(), Coverage::default(), MAX_TOLD);
        for PlacedScript { at, script } in &self.scripts {
            let (mut simulation, bytes) = self.play_script(script, at, room, more).await?;
            room = room.saturating_sub(bytes);
            let of_script = Coverage::of(&self.tried, &simulation.trace);
            simulation.not_visited = of_script.rest(&self.tried);
            visited.extend(of_script);
            simulations.push(simulation);
        }
        let (version, left_out) = (self.version, self.left_out.clone());
        Ok(Simulated { version, simulations, not_visited: visited.rest(&self.tried), left_out })
    }
}

impl NotVisited {
    /// Whether everything was visited.
    pub fn is_empty(&self) -> bool {
        let Self { nodes, exits, steps } = self;
        nodes.is_empty() && exits.is_empty() && steps.is_empty()
    }
}

/// Returns an empty definition, for flows without a needed draft.
pub(super) fn no_definition() -> Value {
    Value::Object(serde_json::Map::new())
}
