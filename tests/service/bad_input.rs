//! Invalid requests: each gets the expected problem at the expected place, and changes nothing.

mod addresses;
mod bodies;
mod case;
mod conditions;
mod headers;
mod names;
mod queries;
mod sequences;
mod setup;
mod values;

use crate::support::Store;
use setup::Setup;

/// The number of cases between two checks of all stored objects.
const AT_ONCE: usize = 60;

async fn rejects_every_case_and_changes_nothing(store: Store) {
    let setup = Setup::new(store).await;
    let mut cases = bodies::cases(&setup);
    cases.extend(values::cases(&setup));
    cases.extend(names::cases(&setup));
    cases.extend(conditions::cases(&setup));
    cases.extend(queries::cases(&setup).await);
    cases.extend(headers::cases(&setup).await);
    cases.extend(values::drafts(&setup).await);
    cases.extend(sequences::cases(&setup).await);

    let mut before = setup.everything().await;
    let mut wrong = Vec::new();
    for some in cases.chunks(AT_ONCE) {
        for case in some {
            let reply = case.play(&setup).await;
            if let Err(why) = case.judge(&reply) {
                wrong.push(format!("{case}\n  {why}\n  {} {}", reply.status, reply.text));
            }
        }
        let after = setup.everything().await;
        if after != before {
            let some: Vec<String> = some.iter().map(ToString::to_string).collect();
            let change = setup::difference(&before, &after);
            wrong.push(format!("one of these changed something:\n{}\n  {change}", some.join("\n")));
            before = after;
        }
    }
    assert!(wrong.is_empty(), "{} failures in {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    println!("{} wrong requests were refused and changed nothing", cases.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_a_body_of_unknown_length() {
    headers::rejects_a_chunked_body_that_is_too_large(Store::sqlite().await).await;
}

on_both! {
    rejects_every_case_and_changes_nothing,
    rejects_private_webhook_addresses in addresses,
}
