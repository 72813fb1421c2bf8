//! Two thousand guesses of one password, from one address and from several.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use futures::stream::{self, StreamExt};
use serde_json::json;

use crate::support::{Client, Person, Reply, Server, Store};

const AT_ONCE: usize = 32;

/// Returns a client with another address of this machine.
fn at(server: &Server, last: u8) -> Client {
    Client::from_address(&server.base, None, Some(IpAddr::from(Ipv4Addr::new(127, 0, 0, last))))
}

async fn sign_in(client: &Client, email: &str, password: &str) -> Reply {
    client.post("/auth/login", &json!({"email": email, "password": password})).await
}

/// Sends `times` guesses from these addresses in turn; returns the number of responses by status.
async fn guess(clients: &[Client], email: &str, times: usize) -> BTreeMap<u16, usize> {
    let guesses = (0..times).map(|number| {
        let client = &clients[number % clients.len()];
        let body = json!({"email": email, "password": format!("guess {number}")}).to_string();
        async move {
            // The address in this header is not trusted.
            let forwarded = format!("198.51.100.{}", number % 250);
            let headers = [("content-type", "application/json"), ("x-forwarded-for", forwarded.as_str())];
            client.send("POST", "/auth/login", &headers, Some(body.into_bytes())).await.unwrap()
        }
    });
    let replies: Vec<Reply> = stream::iter(guesses).buffer_unordered(AT_ONCE).collect().await;
    let mut statuses = BTreeMap::new();
    for reply in replies {
        if reply.status == 429 {
            assert_eq!(reply.code(), "too_many_attempts");
            let wait: u64 = reply.header("retry-after").unwrap().parse().unwrap();
            assert!((1..=900).contains(&wait), "{wait}");
        }
        *statuses.entry(reply.status).or_default() += 1;
    }
    statuses
}

/// Returns the number of password hashes: one for each 401 and none for other statuses.
fn hashes(statuses: &BTreeMap<u16, usize>) -> usize {
    assert!(statuses.keys().all(|status| [401, 429, 503].contains(status)), "{statuses:?}");
    statuses.get(&401).copied().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_thousand_guesses_fail_and_lock_out_no_user() {
    let server = Server::start(Store::sqlite().await, &[]);
    let ada = Person::new(&server, &server.workspace, "owner");
    let (home, abroad) = (at(&server, 100), at(&server, 101));
    sign_in(&home, &ada.email, &ada.password).await.expect(200);

    let began = Instant::now();
    let one = guess(&[at(&server, 1)], &ada.email, 1_000).await;
    let many: Vec<Client> = (2..=9).map(|last| at(&server, last)).collect();
    let many = guess(&many, &ada.email, 1_000).await;
    println!("{one:?} from one address, {many:?} from eight, in {:?}", began.elapsed());
    assert_eq!(one.values().chain(many.values()).sum::<usize>(), 2_000);
    // Five at once, then after 2, 4, 8, 16, 32, … seconds.
    let looked_at = hashes(&one) + hashes(&many);
    assert!((1..=12).contains(&looked_at), "{looked_at} passwords were checked");

    // From an address where Ada has signed in before, guesses of others do not lock her out. From another address she
    // has to wait, but not long.
    sign_in(&home, &ada.email, &ada.password).await.expect(200);
    let ends = Instant::now() + Duration::from_secs(120);
    loop {
        let reply = sign_in(&abroad, &ada.email, &ada.password).await;
        if reply.status == 200 {
            break;
        }
        assert_eq!(reply.status, 429, "{}", reply.text);
        assert!(Instant::now() < ends, "guessing stopped, but the user still has to wait");
        let wait: u64 = reply.header("retry-after").unwrap().parse().unwrap();
        tokio::time::sleep(Duration::from_secs(wait)).await;
    }
}
