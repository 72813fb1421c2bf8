//! Bad input: each wrong request gets the problem that it earned, at the place where it is wrong,
//! and changes nothing.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails loudly")]

#[path = "bad_input/addresses.rs"]
mod addresses;
#[path = "bad_input/bodies.rs"]
mod bodies;
#[path = "bad_input/case.rs"]
mod case;
#[path = "bad_input/headers.rs"]
mod headers;
#[path = "bad_input/names.rs"]
mod names;
#[path = "bad_input/queries.rs"]
mod queries;
#[path = "bad_input/scene.rs"]
mod scene;
mod support;
#[path = "bad_input/values.rs"]
mod values;

use case::Case;
use scene::Scene;
use support::Store;

/// Plays every case and looks at everything that is there after each.
async fn every_case_is_refused(store: Store) {
    let scene = Scene::set(store).await;
    let mut before = scene.everything().await;
    let tables: [(&str, Vec<Case>); 6] = [
        ("bodies", bodies::cases(&scene)),
        ("values", values::cases(&scene)),
        ("names", names::cases(&scene)),
        ("queries", queries::cases(&scene).await),
        ("headers", headers::cases(&scene).await),
        ("drafts", values::drafts(&scene).await),
    ];
    let (mut played, mut wrong) = (0, Vec::new());
    // What the tables made for themselves is there from now on.
    before.clone_from(&scene.everything().await);
    for (table, cases) in tables {
        for case in cases {
            let reply = case.play(&scene).await;
            if let Err(why) = case.judge(&reply) {
                wrong.push(format!("{table}: {case}\n  {why}\n  {} {}", reply.status, reply.text));
            }
            let after = scene.everything().await;
            if after != before {
                wrong.push(format!("{table}: {case}\n  changed something: {}", scene::difference(&before, &after)));
                before = after;
            }
            played += 1;
        }
    }
    assert!(wrong.is_empty(), "{} of {played} went wrong:\n{}", wrong.len(), wrong.join("\n"));
    println!("{played} wrong requests were refused and changed nothing");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_case_is_refused_on_sqlite() {
    every_case_is_refused(Store::sqlite().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_case_is_refused_on_postgresql() {
    every_case_is_refused(Store::postgres().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_webhook_goes_to_a_private_address_on_sqlite() {
    addresses::no_private_address_is_taken(Store::sqlite().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_webhook_goes_to_a_private_address_on_postgresql() {
    addresses::no_private_address_is_taken(Store::postgres().await).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_of_unknown_length_is_bounded_too() {
    headers::a_chunked_body_is_cut_off(Store::sqlite().await).await;
}
