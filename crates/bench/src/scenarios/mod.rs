//! What is measured, each beside its limit.

mod accept;
mod answer;
mod creates;
mod flows;
mod footprint;
mod growth;
mod jobs;
mod reads;
mod sqlite;
mod traffic;
mod webhooks;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::cli::progress;
use crate::estate::Estate;
use crate::meter::Meter;
use crate::plan::Plan;
use crate::postgres::{Cluster, Extent, Pgbench};
use crate::receiver::Receiver;
use crate::results::Results;
use crate::service::{Program, Service};

/// All that scenarios need.
pub(crate) struct Bench {
    pub(crate) plan: Plan,
    pub(crate) program: Program,
    pub(crate) cluster: Cluster,
    /// A folder that is thrown away.
    pub(crate) folder: PathBuf,
    pub(crate) receiver: Receiver,
    /// On PostgreSQL, by how many contacts there are.
    estates: BTreeMap<u64, Estate>,
    only: Vec<String>,
}

impl Bench {
    pub(crate) fn new(
        plan: Plan,
        program: Program,
        cluster: Cluster,
        folder: PathBuf,
        receiver: Receiver,
        only: Vec<String>,
    ) -> Self {
        Self { plan, program, cluster, folder, receiver, estates: BTreeMap::new(), only }
    }

    /// Runs everything, or what was asked for, and keeps the results after each group.
    ///
    /// # Errors
    /// The first that goes wrong: an answer that is not right is no figure.
    pub(crate) async fn run(
        &mut self,
        results: &mut Results,
        mut keep: impl FnMut(&Results) -> Result<()>,
    ) -> Result<()> {
        for contacts in self.plan.contacts.clone() {
            progress(&format!("making {contacts} contacts"));
            let estate = Estate::on_postgres(&self.cluster, &self.program, contacts).await?;
            self.estates.insert(contacts, estate);
        }
        macro_rules! group {
            ($into:ident, $name:literal, $run:expr) => {
                if self.only.is_empty() || self.only.iter().any(|it| it == $name) {
                    progress(concat!("== ", $name));
                    results.$into.extend($run.await.context($name)?);
                    keep(results)?;
                }
            };
        }
        group!(facts, "footprint", footprint::run(self));
        group!(scenarios, "answer", answer::run(self));
        group!(scenarios, "reads", reads::run(self));
        group!(scenarios, "growth", growth::run(self));
        group!(scenarios, "creates", creates::run(self));
        group!(scenarios, "sqlite", sqlite::run(self));
        group!(scenarios, "accept", accept::run(self));
        group!(scenarios, "webhooks", webhooks::run(self));
        group!(scenarios, "jobs", jobs::run(self));
        group!(scenarios, "flows", flows::run(self));
        Ok(())
    }

    /// The database with so many contacts, to be read only.
    fn estate(&self, contacts: u64) -> Result<&Estate> {
        self.estates.get(&contacts).context("a size of the plan")
    }

    /// A copy with the fewest contacts, to be written to.
    async fn writable(&self, name: &str) -> Result<Estate> {
        self.estate(self.plan.fewest())?.copy(&self.cluster, name).await
    }

    fn serve(&self, estate: &Estate, role: &str) -> Result<Service> {
        self.program.serve(&estate.storage, role, &estate.key)
    }

    /// The service and PostgreSQL.
    fn meter(&self, service: &Service) -> Meter {
        Meter { service: Some(service.pid()), database: Some(self.cluster.postmaster) }
    }

    /// pgbench for as long as a round of load.
    fn pgbench(&self, estate: &Estate, clients: usize) -> Pgbench<'_> {
        Pgbench::new(&self.cluster, &estate.name, clients, Extent::Time(self.plan.load), &self.folder)
    }
}
