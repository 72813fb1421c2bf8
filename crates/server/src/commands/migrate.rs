//! `tidings migrate`.

use secrecy::ExposeSecret;
use serde_json::json;
use tidings_storage::{Effect, MigrationPlan, StorageSettings, Writers, plan_migrations};

use super::block_on;
use crate::cli::MigrateOptions;
use crate::failure::Failure;
use crate::logging;
use crate::output::{print_json, print_line};
use crate::settings::Settings;
use crate::wiring::Adapters;

pub(crate) fn migrate(options: &MigrateOptions, json: bool) -> Result<(), Failure> {
    let settings = Settings::load()?;
    logging::begin(&settings);
    if options.plan {
        return plan(&settings, json);
    }
    let applied = block_on(async {
        let storage = Adapters::open(&settings).await?.storage;
        match options.before_rollout {
            true => Ok(storage.migrate_before_rollout().await?),
            false => Ok(storage.migrate().await?),
        }
    })?;
    match (json, applied) {
        (true, applied) => print_json(&json!({ "applied": applied })),
        (false, 0) => print_line("The schema is up to date."),
        (false, 1) => print_line("Applied 1 migration."),
        (false, applied) => print_line(&format!("Applied {applied} migrations.")),
    }
    Ok(())
}

fn plan(settings: &Settings, json: bool) -> Result<(), Failure> {
    let store = StorageSettings { pool_size: 1, ..StorageSettings::new(settings.storage_url.expose_secret()) };
    let plan = block_on(async { Ok(plan_migrations(&store).await?) })?;
    match json {
        true => print_json(&plan),
        false => plan_lines(&plan).iter().for_each(|line| print_line(line)),
    }
    Ok(())
}

/// Returns the lines of the plan.
fn plan_lines(plan: &MigrationPlan) -> Vec<String> {
    if plan.migrations.is_empty() {
        return vec!["The schema is up to date: no pending migrations.".to_owned()];
    }
    let mut lines = Vec::new();
    for migration in &plan.migrations {
        let when = if migration.after_rollout { " (after the rollout)" } else { "" };
        lines.push(format!("{}{when}", migration.name));
        lines.extend(effects(&migration.effect).into_iter().map(|line| format!("  -> {line}")));
        for (number, step) in (1..).zip(&migration.steps) {
            lines.push(format!("  Step {number}:"));
            lines.extend(step.sql.lines().map(|line| format!("    {line}")));
        }
    }
    lines.push(if plan.database == "sqlite" { WHOLE_FILE } else { AFTERWARDS }.to_owned());
    lines
}

const WHOLE_FILE: &str = "Each migration locks the whole file until it ends.";
const AFTERWARDS: &str = "Each step is a transaction, which keeps its locks until it ends.";

/// Describes the effect of a migration on other clients.
fn effects(effect: &Effect) -> Vec<String> {
    let writers = match effect.writers {
        Writers::GoOn => "writers continue",
        Writers::WaitForRows => "writers of the same rows wait, others continue",
        Writers::WaitShortly => "writers wait for a moment",
        Writers::Wait => "WRITERS WAIT",
        Writers::Unknown => "UNKNOWN",
    };
    let locks = effect.locks.iter().map(|lock| format!("{} of {}", lock.mode, lock.table));
    let rewrites = effect.rewrites.iter().map(|table| format!("rewrites rows of {table}"));
    [writers.to_owned()].into_iter().chain(locks).chain(rewrites).collect()
}
