//! `tidings secrets reseal`.

use serde_json::json;
use tidings_domain::sealing::{Resealed, Survey};

use super::{block_on, opened};
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Seals by the present master key what earlier ones sealed, beside whatever runs, and says whether those may go.
pub(crate) fn reseal(json: bool) -> Result<(), Failure> {
    let (done, previous) = block_on(async {
        let adapters = opened().await?;
        let done = adapters.resealing().run().await.map_err(tidings_domain::Error::from)?;
        Ok((done, adapters.keys.previous()))
    })?;
    let Survey { current, earlier, unreadable } = done.left;
    if json {
        let values = json!({ "current": current, "previous": earlier, "unreadable": unreadable });
        let may_go = done.earlier_keys_may_go();
        print_json(&json!({ "resealed": done.rows, "values": values, "previous_keys_may_go": may_go }));
    } else {
        print_line(&words(&done, previous));
    }
    if done.earlier_keys_may_go() {
        Ok(())
    } else {
        Err(Failure::refused("some values are still sealed by a previous key: run it again"))
    }
}

fn words(done: &Resealed, previous: usize) -> String {
    let Survey { current, unreadable, .. } = done.left;
    let mut words = match done.rows {
        0 => format!("Nothing was to be sealed again. By secrets.master_key are sealed: {current}."),
        rows => format!("Rows sealed again: {rows}. By secrets.master_key are sealed: {current}."),
    };
    if unreadable > 0 {
        words += &format!(
            "\nValues that no key opens, and that were left as they are: {unreadable}. Name the key that they were \
             sealed by in secrets.previous_keys, or rotate those secrets."
        );
    }
    if done.earlier_keys_may_go() && previous > 0 {
        words += "\nSealed by secrets.previous_keys: none. Once each instance runs with the new secrets.master_key, the \
                  previous ones may go.";
    }
    words
}
