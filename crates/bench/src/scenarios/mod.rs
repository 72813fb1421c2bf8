//! The measured scenarios, each with its limit.

mod accept;
mod answer;
mod creates;
mod footprint;
mod growth;
mod jobs;
mod reads;
mod sqlite;
mod traffic;
mod webhooks;
mod wild;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::console::progress;
use crate::meter::Meter;
use crate::plan::Plan;
use crate::postgres::{Cluster, Extent, Pgbench, Settings};
use crate::receiver::Receiver;
use crate::results::Results;
use crate::seed::Seed;
use crate::service::{Program, Service};

/// The prefix of groups that need a database with PostgreSQL's default settings.
const WILD: &str = "wild";

/// The environment of the scenarios.
pub(crate) struct Bench {
    pub(crate) plan: Plan,
    pub(crate) program: Program,
    /// Another program that runs the same scenarios for comparison, if given.
    pub(crate) against: Option<Program>,
    pub(crate) cluster: Cluster,
    pub(crate) folder: PathBuf,
    pub(crate) receiver: Receiver,
    /// The databases on PostgreSQL, by number of contacts.
    seeds: BTreeMap<u64, Seed>,
    only: Vec<String>,
}

impl Bench {
    pub(crate) fn new(
        plan: Plan,
        program: Program,
        against: Option<Program>,
        cluster: Cluster,
        folder: PathBuf,
        receiver: Receiver,
        only: Vec<String>,
    ) -> Self {
        Self { plan, program, against, cluster, folder, receiver, seeds: BTreeMap::new(), only }
    }

    /// Runs all or the selected groups, and saves the results after each group.
    ///
    /// # Errors
    /// The first failure: a wrong response is not a measurement.
    pub(crate) async fn run(
        &mut self,
        results: &mut Results,
        mut keep: impl FnMut(&Results) -> Result<()>,
    ) -> Result<()> {
        self.group("wild-runs", results, |it| &mut it.churns, wild::flows::run, &mut keep).await?;
        self.group("wild-creates", results, |it| &mut it.churns, wild::creates::run, &mut keep).await?;
        self.group("wild-delivered", results, |it| &mut it.churns, wild::creates::delivered, &mut keep).await?;
        self.group("wild-drains", results, |it| &mut it.churns, wild::drains::run, &mut keep).await?;
        if self.asked_for("wild-alone") {
            progress("== wild-alone");
            results.one_run = Some(wild::alone::run(self).await.context("wild-alone")?);
            keep(results)?;
        }
        self.group("wild-accept", results, |it| &mut it.churns, wild::accept::run, &mut keep).await?;
        self.group("wild-lookups", results, |it| &mut it.churns, wild::lookups::run, &mut keep).await?;
        self.group("wild-backlog", results, |it| &mut it.churns, wild::backlog::run, &mut keep).await?;
        if self.asked_for("wild-broadcast") {
            progress("== wild-broadcast");
            let (churns, facts) = wild::broadcasts::run(self).await.context("wild-broadcast")?;
            results.churns.extend(churns);
            results.facts.extend(facts);
            keep(results)?;
        }
        self.group("wild-simulation", results, |it| &mut it.facts, wild::simulations::run, &mut keep).await?;
        if !self.only.is_empty() && self.only.iter().all(|it| it.starts_with(WILD)) {
            return Ok(());
        }
        self.cluster = Cluster::start(Settings::Tuned).await?;
        for contacts in self.plan.contacts.clone() {
            progress(&format!("creating {contacts} contacts"));
            let seed = Seed::on_postgres(&self.cluster, &self.program, contacts).await?;
            self.seeds.insert(contacts, seed);
        }
        self.group("footprint", results, |it| &mut it.facts, footprint::run, &mut keep).await?;
        self.group("answer", results, |it| &mut it.scenarios, answer::run, &mut keep).await?;
        self.group("reads", results, |it| &mut it.scenarios, reads::run, &mut keep).await?;
        self.group("growth", results, |it| &mut it.scenarios, growth::run, &mut keep).await?;
        self.group("creates", results, |it| &mut it.scenarios, creates::run, &mut keep).await?;
        self.group("sqlite", results, |it| &mut it.scenarios, sqlite::run, &mut keep).await?;
        self.group("accept", results, |it| &mut it.scenarios, accept::run, &mut keep).await?;
        self.group("webhooks", results, |it| &mut it.scenarios, webhooks::run, &mut keep).await?;
        self.group("jobs", results, |it| &mut it.scenarios, jobs::run, &mut keep).await?;
        Ok(())
    }

    /// Runs a group if it is selected, and saves the results with its measurements.
    async fn group<T>(
        &self,
        name: &'static str,
        results: &mut Results,
        into: fn(&mut Results) -> &mut Vec<T>,
        run: impl AsyncFnOnce(&Self) -> Result<Vec<T>>,
        keep: &mut impl FnMut(&Results) -> Result<()>,
    ) -> Result<()> {
        if !self.asked_for(name) {
            return Ok(());
        }
        progress(&format!("== {name}"));
        into(results).extend(run(self).await.context(name)?);
        keep(results)
    }

    /// Whether a group is selected. Without a selection, every group is; `wild` selects all groups with that prefix.
    fn asked_for(&self, group: &str) -> bool {
        let named = |it: &String| it == group || (it == WILD && group.starts_with(WILD));
        self.only.is_empty() || self.only.iter().any(named)
    }

    /// Returns the read-only database with this number of contacts.
    fn seed(&self, contacts: u64) -> Result<&Seed> {
        self.seeds.get(&contacts).context("a size of the plan")
    }

    /// Copies the smallest database for writing.
    async fn writable(&self, name: &str) -> Result<Seed> {
        self.seed(self.plan.fewest())?.copy(&self.cluster, name).await
    }

    fn serve(&self, seed: &Seed, role: &str) -> Result<Service> {
        self.program.serve(&seed.storage, role, &seed.key)
    }

    /// Measures the service and PostgreSQL.
    fn meter(&self, service: &Service) -> Meter {
        Meter { service: Some(service.pid()), database: Some(self.cluster.postmaster) }
    }

    /// Runs pgbench for the load time of one round.
    fn pgbench(&self, seed: &Seed, clients: usize) -> Pgbench<'_> {
        Pgbench::new(&self.cluster, &seed.name, clients, Extent::Time(self.plan.load), &self.folder)
    }
}
