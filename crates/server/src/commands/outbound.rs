//! `tidings outbound`: pauses and resumes outbound traffic, also after a restore.

use serde_json::json;
use tidings_domain::ports::{OutboundStore, Pauses, StoreHold};

use super::{block_on, opened};
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Pauses channels and webhooks of all workspaces. A restored database also fetches no messages.
pub(crate) fn hold_outbound(reason: &str, is_restored: bool, json: bool) -> Result<(), Failure> {
    let pauses = block_on(async {
        let adapters = opened().await?;
        let since = adapters.tidings.ports.clock.now();
        let hold = StoreHold { reason: reason.to_owned(), since, is_restored };
        adapters.storage.hold(hold).await.map_err(tidings_domain::Error::from)?;
        Ok(adapters.storage.pauses().await.map_err(tidings_domain::Error::from)?)
    })?;
    show(&pauses, json);
    Ok(())
}

/// Resumes outbound traffic, except for workspaces that paused it themselves.
pub(crate) fn send_outbound(json: bool) -> Result<(), Failure> {
    let pauses = block_on(async {
        let adapters = opened().await?;
        adapters.storage.lift().await.map_err(tidings_domain::Error::from)?;
        Ok(adapters.storage.pauses().await.map_err(tidings_domain::Error::from)?)
    })?;
    show(&pauses, json);
    Ok(())
}

/// Prints whether outbound traffic is paused.
pub(crate) fn show_outbound(json: bool) -> Result<(), Failure> {
    let pauses = block_on(async { Ok(opened().await?.storage.pauses().await.map_err(tidings_domain::Error::from)?) })?;
    show(&pauses, json);
    Ok(())
}

fn show(pauses: &Pauses, json: bool) {
    let (reason, since) = (pauses.store.as_ref().map(|it| &it.reason), pauses.store.as_ref().map(|it| it.since));
    let is_restored = pauses.store.as_ref().is_some_and(|it| it.is_restored);
    if json {
        let mode = if pauses.store.is_some() { "hold" } else { "send" };
        return print_json(&json!({
            "mode": mode, "reason": reason, "since": since, "restored": is_restored, "held_workspaces": pauses.workspaces
        }));
    }
    match &pauses.store {
        Some(hold) => print_line(&format!(
            "Outbound sending is paused since {}: {}. Run `tidings outbound send` to resume.",
            hold.since, hold.reason
        )),
        None => print_line("Outbound sending is enabled."),
    }
    if is_restored {
        print_line("The database is a restored copy, so messages of contacts are not fetched either.");
    }
    if pauses.workspaces > 0 {
        print_line(&format!("Workspaces with paused sending: {}.", pauses.workspaces));
    }
}
