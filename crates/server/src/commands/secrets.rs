//! `tidings secrets reseal`.

use serde_json::json;
use tidings_domain::Error;
use tidings_domain::sealing::{Resealed, Survey};

use super::retry_refused::retry_refused;
use super::{block_on, opened};
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Encrypts all secrets with the current master key while other processes run. Prints whether earlier keys can be
/// removed.
pub(crate) fn reseal(json: bool) -> Result<(), Failure> {
    let (done, previous) = block_on(async {
        let adapters = opened().await?;
        let (resealing, mut done) = (adapters.resealing(), Resealed::default());
        retry_refused(async || resealing.resume(&mut done).await.map_err(Error::from)).await?;
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
        Err(Failure::with_advice("some values are still encrypted with a previous key; run the command again"))
    }
}

fn words(done: &Resealed, previous: usize) -> String {
    let Survey { current, unreadable, .. } = done.left;
    let mut words = match done.rows {
        0 => format!("Nothing to encrypt again. Values encrypted with secrets.master_key: {current}."),
        rows => format!("Rows encrypted again: {rows}. Values encrypted with secrets.master_key: {current}."),
    };
    if unreadable > 0 {
        words += &format!(
            "\nValues that no key can decrypt, left unchanged: {unreadable}. Add their key to secrets.previous_keys, \
             or rotate those secrets."
        );
    }
    if done.earlier_keys_may_go() && previous > 0 {
        words += "\nValues encrypted with secrets.previous_keys: none. When all instances run with the new \
                  secrets.master_key, you can remove the previous keys.";
    }
    words
}
