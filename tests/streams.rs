//! `GET /api/v1/stream` of the running program, on both databases.

mod bounds;
mod credentials;
mod ends;
mod events;
mod instances;
mod relay;
mod requests;

use serde_json::{Value, json};

use crate::support::{Person, Server, Store};

/// A client that reads nothing for long is disconnected without an event; on a busy machine that would happen before a
/// buffer is full.
const PATIENT: (&str, &str) = ("TIDINGS__HTTP__TIMEOUTS__WRITE", "PT5M");

macro_rules! on_both {
    ($($module:ident::$rule:ident,)+) => {
        mod on_sqlite {
            use super::*;
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $rule() {
                $module::$rule(&mut begin(Store::sqlite().await)).await;
            })+
        }

        mod on_postgresql {
            use super::*;
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $rule() {
                $module::$rule(&mut begin(Store::postgres().await)).await;
            })+
        }
    };
}

fn begin(store: Store) -> Server {
    Server::start(store, &[crate::support::people::OFTEN, PATIENT])
}

/// Creates a sandbox; returns a key with scope `full` and one with scope `read`.
async fn sandbox(server: &Server) -> (String, String) {
    let person = Person::new(server, &server.workspace, "admin").client(server).await;
    let platform = format!("/platform/workspaces/{}/sandbox", server.workspace);
    let sandbox = person.post(&platform, &Value::Null).await.expect(201);
    let keys = format!("/platform/workspaces/{}/api-keys", sandbox["id"].as_str().unwrap());
    let key = async |scope: &str| {
        let made = person.post(&keys, &json!({"name": scope, "scope": scope})).await.expect(201);
        made["key"].as_str().unwrap().to_owned()
    };
    (key("full").await, key("read").await)
}

on_both! {
    events::what_happens_comes_once_and_hints_tell_the_rest,
    events::a_stream_goes_on_where_it_broke_off,
    events::a_position_that_is_not_there_is_told,
    requests::requests_are_told_to_those_who_may_read_their_log_and_reading_it_is_not,
    credentials::a_stream_ends_with_what_opened_it,
    bounds::a_client_has_so_many_streams_and_a_place_is_free_when_one_closes,
    bounds::who_does_not_read_is_closed_and_told_why,
    ends::a_server_that_stops_says_so,
    ends::an_emptied_sandbox_is_told,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_servers_of_one_database_tell_the_same() {
    instances::either_server_tells_what_happens_at_the_other(&begin(Store::postgres().await)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hints_of_either_server_come_at_the_other_once() {
    relay::hints_of_either_server_come_at_the_other_once(&begin(Store::postgres().await)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_an_engine_changes_comes_at_a_server_that_only_answers() {
    let server = Server::provision(Store::postgres().await, &[]);
    relay::what_an_engine_changes_comes_at_a_server_that_only_answers(&server).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hints_come_again_after_a_gap() {
    relay::hints_come_again_after_a_gap(&begin(Store::postgres().await)).await;
}
