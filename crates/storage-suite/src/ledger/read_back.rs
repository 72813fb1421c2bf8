//! Cases that write every variant of every change and read its effect back: alone, in a set with other changes, and in
//! sets that are committed at the same time.
//!
//! A store that classifies a change wrongly can acknowledge it without writing it. `variants` lists all variants, and
//! the compiler keeps the list complete.

mod access;
mod accounts;
mod broadcasts;
mod catalog;
mod contacts;
mod conversations;
mod endings;
mod flow_runs;
mod flows;
mod imports;
mod jobs;
mod sample;
mod sequences;
mod variants;
mod webhooks;
mod workspaces;

use std::collections::BTreeSet;

use futures::future::join_all;

use crate::Ports;
use crate::fixtures::World;
use sample::{Maker, Sample};
use variants::NAMES;

/// Variants without an effect that a port can read, each with the reason.
const INVISIBLE: &[(&str, &str)] = &[
    (
        "Broadcast RequireOpen",
        "it writes nothing; `a_counted_outcome_releases_the_next_portion` checks when it refuses a set",
    ),
    (
        "OptOut Require",
        "it writes nothing; `rejects_changes_with_an_old_revision_of_opt_outs` checks when it refuses a set",
    ),
    (
        "Channel RecordEvent",
        "it is only read as a conflict; `an_event_of_a_provider_is_recorded_once_until_it_expires` checks that",
    ),
];

/// Commits sets at the same time, each with samples of one workspace, and reads each effect. A store may write the sets
/// in one transaction.
async fn commit(sets: Vec<Vec<Sample>>, form: &str) {
    for sample in sets.iter().flatten() {
        sample.check(false, form).await;
    }
    let outcomes = join_all(sets.iter().map(|samples| {
        let changes = samples.iter().map(|sample| sample.change.clone());
        samples[0].world.commit(|set| set.changes.extend(changes))
    }));
    for (samples, outcome) in sets.iter().zip(outcomes.await) {
        assert_eq!(outcome, Ok(()), "{:?}, {form}", samples.iter().map(Sample::name).collect::<Vec<_>>());
    }
    for sample in sets.iter().flatten() {
        sample.check(true, form).await;
    }
}

/// Makes a sample in a new workspace.
async fn alone(store: &Ports, make: &Maker) -> Sample {
    make(World::new(store).await).await
}

/// Commits one sample alone, then three sets of three workspaces with a sample each.
async fn commit_apart(store: &Ports, make: &Maker) {
    commit(vec![vec![alone(store, make).await]], "alone").await;
    let sets = [alone(store, make).await, alone(store, make).await, alone(store, make).await];
    commit(sets.map(|sample| vec![sample]).into(), "in sets at the same time").await;
}

/// Commits and reads back samples of each maker: alone, beside a sample of the same variant, around a sample of another
/// variant, and in sets at the same time.
async fn are_read_back(store: Ports, makers: Vec<Maker>) {
    for (place, make) in makers.iter().enumerate() {
        let other = &makers[(place + 1) % makers.len()];
        commit_apart(&store, make).await;
        let world = World::new(&store).await;
        let alike = vec![make(world.clone()).await, make(world).await];
        commit(vec![alike], "beside its like").await;
        let world = World::new(&store).await;
        let mixed = vec![make(world.clone()).await, other(world.clone()).await, make(world).await];
        commit(vec![mixed], "around another variant").await;
    }
}

/// Does the same for changes to a workspace as a whole. A set has only one of these, so the other change inserts a
/// user, who belongs to no workspace.
async fn of_workspaces_are_read_back(store: Ports, makers: Vec<Maker>) {
    for make in &makers {
        commit_apart(&store, make).await;
        let sample = alone(&store, make).await;
        let world = sample.world.clone();
        let mixed = vec![accounts::person(world.clone()).await, sample, accounts::person(world).await];
        commit(vec![mixed], "between two other variants").await;
    }
}

/// Each variant has one sample. Only the variants in `INVISIBLE` have samples without an effect.
pub async fn every_change_has_a_sample_that_is_read_back(store: Ports) {
    let groups = [
        access::samples(),
        accounts::samples(),
        broadcasts::samples(),
        catalog::samples(),
        contacts::samples(),
        conversations::samples(),
        endings::samples(),
        flow_runs::samples(),
        flows::samples(),
        imports::samples(),
        jobs::samples(),
        sequences::samples(),
        webhooks::samples(),
        workspaces::samples(),
    ];
    let (mut names, mut invisible) = (BTreeSet::new(), Vec::new());
    for make in groups.iter().flatten() {
        let sample = alone(&store, make).await;
        assert!(names.insert(sample.name()), "{} has two samples", sample.name());
        if !sample.is_visible() {
            invisible.push(sample.name());
        }
    }
    let missing: Vec<_> = NAMES.iter().filter(|name| !names.contains(*name)).collect();
    assert!(missing.is_empty(), "no sample of {missing:?}");
    assert_eq!(invisible, INVISIBLE.iter().map(|(name, _)| *name).collect::<Vec<_>>());
}

/// Keys, members and invitations.
pub async fn changes_of_access_are_read_back(store: Ports) {
    are_read_back(store, access::samples()).await;
}

/// Users, sessions, refresh tokens, signing keys and login attempts.
pub async fn changes_of_accounts_are_read_back(store: Ports) {
    are_read_back(store, accounts::samples()).await;
}

/// Broadcasts, their recipients and counts.
pub async fn changes_of_broadcasts_are_read_back(store: Ports) {
    are_read_back(store, broadcasts::samples()).await;
}

/// Bot fields, secrets, segments, saved replies, references, opt-outs, facts and the audit log.
pub async fn changes_of_the_catalog_are_read_back(store: Ports) {
    are_read_back(store, catalog::samples()).await;
}

/// Contacts with their addresses, tags and custom fields.
pub async fn changes_of_contacts_are_read_back(store: Ports) {
    are_read_back(store, contacts::samples()).await;
}

/// Channels, conversations and messages.
pub async fn changes_of_conversations_are_read_back(store: Ports) {
    are_read_back(store, conversations::samples()).await;
}

/// Erasures and merges of contacts.
pub async fn changes_that_end_contacts_are_read_back(store: Ports) {
    are_read_back(store, endings::samples()).await;
}

/// Runs of flows with their queued steps.
pub async fn changes_of_runs_are_read_back(store: Ports) {
    are_read_back(store, flow_runs::samples()).await;
}

/// Flows with their versions, triggers and schedules.
pub async fn changes_of_flows_are_read_back(store: Ports) {
    are_read_back(store, flows::samples()).await;
}

/// Imports and bulk operations.
pub async fn changes_of_imports_are_read_back(store: Ports) {
    are_read_back(store, imports::samples()).await;
}

/// Claimed and buried jobs.
pub async fn changes_of_jobs_are_read_back(store: Ports) {
    are_read_back(store, jobs::samples()).await;
}

/// Sequences and enrollments.
pub async fn changes_of_sequences_are_read_back(store: Ports) {
    are_read_back(store, sequences::samples()).await;
}

/// Webhooks, their deliveries and replays.
pub async fn changes_of_webhooks_are_read_back(store: Ports) {
    are_read_back(store, webhooks::samples()).await;
}

/// Workspaces, sandboxes and keys of opt-outs.
pub async fn changes_of_workspaces_are_read_back(store: Ports) {
    of_workspaces_are_read_back(store, workspaces::samples()).await;
}
