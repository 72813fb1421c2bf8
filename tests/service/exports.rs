//! Exports of the largest objects that the API accepts, read slowly by several clients: the server's memory does not
//! depend on the size of the objects, and no task blocks a request thread.

use futures::future::join_all;
use futures::{StreamExt, stream};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::support::{Client, METRICS_TOKEN, Person, Server, Store};

/// The number of clients that read an export concurrently.
const READERS: u64 = 4;
/// The memory limit for each reader.
const MOST_OF_A_READER: u64 = 16 << 20;
/// Fields with values of the largest length.
const LONG_FIELDS: usize = 64;
/// Number fields with only invalid values in the table.
const WRONG_FIELDS: usize = 60;
/// The number of values that fit into one request.
const FIELDS_AT_ONCE: usize = 8;

const CONTACTS: usize = 6;
const ROWS: usize = 24;

struct Setup {
    server: Server,
    client: Client,
    owner: String,
    contact: String,
    import: String,
}

impl Setup {
    async fn new(store: Store) -> Self {
        let settings = [
            crate::support::people::OFTEN,
            ("TIDINGS__LIMITS__PLANS__BUSINESS", "1000000"),
            ("TIDINGS__METRICS__TOKEN", METRICS_TOKEN),
        ];
        let server = Server::start(store, &settings);
        let client = server.client();
        let owner = Person::new(&server, &server.workspace, "owner").token(&server).await;
        let fields = (0..LONG_FIELDS).map(|n| (format!("long{n}"), "text"));
        let fields = fields.chain((0..WRONG_FIELDS).map(|n| (format!("wrong{n}"), "number")));
        let made = stream::iter(fields).map(|(key, kind)| {
            let client = client.clone();
            async move {
                let field = json!({"name": key, "key": key, "type": kind});
                client.post("/api/v1/custom-fields", &field).await.expect(201);
            }
        });
        made.buffer_unordered(4).collect::<()>().await;
        let contact = contacts(&client).await;
        let import = import(&client).await;
        Self { server, client, owner, contact, import }
    }
}

/// Returns how often a task blocked a request thread for long.
async fn long_turns(client: &Client) -> u64 {
    let metrics = client.with_key(Some(METRICS_TOKEN)).get("/metrics").await.text;
    let count = metrics.lines().find_map(|line| line.strip_prefix("tidings_http_long_turns_total "));
    count.map_or(0, |count| count.parse().unwrap())
}

/// Creates contacts with the longest value in every long field; returns the path of one contact.
async fn contacts(client: &Client) -> String {
    let value = "𝄞".repeat(4_096);
    let keys: Vec<String> = (0..LONG_FIELDS).map(|n| format!("long{n}")).collect();
    for number in 0..CONTACTS {
        for keys in keys.chunks(FIELDS_AT_ONCE) {
            let fields: serde_json::Map<_, _> = keys.iter().map(|key| (key.clone(), json!(value))).collect();
            let contact = json!({"external_id": format!("c{number}"), "custom_fields": fields});
            let batch = json!({"operations": [{"action": "create", "contact": contact}]});
            // A debug build on a busy machine may exceed the request timeout.
            let put = || client.post("/api/v1/contacts/batch?on_conflict=update", &batch);
            let mut reply = put().await;
            for _ in 0..5 {
                if reply.status == 503 {
                    reply = put().await;
                }
            }
            let done = reply.expect(200);
            assert!(done["outcomes"][0]["status"].as_u64().unwrap() < 300, "{}", done["outcomes"][0]["problem"]);
        }
    }
    "/api/v1/contacts/external_id:c0".to_owned()
}

/// Imports a table of long rows with only invalid numbers, which fails; returns the path of the import.
async fn import(client: &Client) -> String {
    let wrong: Vec<String> = (0..WRONG_FIELDS).map(|n| format!("custom_fields.wrong{n}")).collect();
    let mut table = format!("external_id,{}\r\n", wrong.join(","));
    for row in 0..ROWS {
        table.push_str(&format!("r{row}{}\r\n", format!(",{}", "x".repeat(1_000)).repeat(WRONG_FIELDS)));
    }
    let path =
        client.post("/api/v1/contacts/import", &Value::String(table)).await.header("location").unwrap().to_owned();
    let done = client.until(&path, |import| import["status"] == "failed").await;
    assert_eq!(done["counts"]["rejected"], ROWS);
    path
}

struct SlowReader {
    stream: TcpStream,
    length: usize,
    end: Vec<u8>,
}

impl SlowReader {
    async fn ask(server: &Server, path: &str, key: &str) -> Self {
        let address = server.base.strip_prefix("http://").unwrap();
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(256 << 10).unwrap();
        let mut stream = socket.connect(address.parse().unwrap()).await.unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {key}\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        Self { stream, length: 0, end: Vec::new() }
    }

    /// Reads a part; returns whether the response is complete.
    async fn read_some(&mut self) -> bool {
        let mut some = vec![0; 256 << 10];
        let read = self.stream.read(&mut some).await.unwrap();
        assert!(read > 0, "the response broke off after {} bytes", self.length);
        if self.length == 0 {
            assert!(some.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&some[..read]));
        }
        self.length += read;
        self.end.extend_from_slice(&some[..read]);
        self.end.drain(..self.end.len().saturating_sub(5));
        self.end == b"0\r\n\r\n"
    }
}

/// Reads an export completely with several slow clients; returns its length and the growth of the server's memory.
async fn read_slowly(setup: &Setup, path: &str, key: &str) -> (usize, u64) {
    let before = setup.server.memory();
    let mut readers = join_all((0..READERS).map(|_| SlowReader::ask(&setup.server, path, key))).await;
    let (mut most, mut length) = (before, 0);
    while !readers.is_empty() {
        let ended = join_all(readers.iter_mut().map(SlowReader::read_some)).await;
        most = most.max(setup.server.memory());
        length = length.max(readers[0].length);
        let mut ended = ended.into_iter();
        readers.retain(|_| !ended.next().unwrap());
    }
    (length, most.saturating_sub(before))
}

async fn exports_are_bounded(store: Store) {
    let setup = Setup::new(store).await;
    let usage = format!("/platform/workspaces/{}/usage/export", setup.server.workspace);
    let (owner, key) = (&setup.owner, &setup.server.key);
    let turns = long_turns(&setup.client).await;
    for (path, key, least) in [
        (format!("{}/rejected", setup.import), key, ROWS * 20 * 60_000),
        ("/api/v1/contacts/export".to_owned(), key, CONTACTS * LONG_FIELDS * 16_384),
        ("/api/v1/contacts/export?format=ndjson".to_owned(), key, CONTACTS * LONG_FIELDS * 16_384),
        (format!("{}/export", setup.contact), key, LONG_FIELDS * 16_384),
        (usage, owner, 1_000),
    ] {
        let (length, grown) = read_slowly(&setup, &path, key).await;
        println!("{path}: {length} bytes, {grown} bytes of memory");
        assert!(length > least, "{path} has {length} bytes");
        assert!(grown < READERS * MOST_OF_A_READER, "{path}: {grown} bytes of memory for {READERS} readers");
        assert_eq!(long_turns(&setup.client).await, turns, "{path} blocked a thread: {}", setup.server.log());
    }
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_readers_of_large_objects_use_little_memory_on_sqlite() {
    exports_are_bounded(Store::sqlite().await).await;
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_readers_of_large_objects_use_little_memory_on_postgresql() {
    exports_are_bounded(Store::postgres().await).await;
}

/// A definition of about 100 kB.
fn large_definition() -> Value {
    let nodes: Vec<Value> = (0..140)
        .map(|n| {
            let next = if n < 139 { json!(format!("n{}", n + 1)) } else { Value::Null };
            let text = format!("{{{{ contact.first_name }}}} {}", "x".repeat(600));
            json!({"id": format!("n{n}"), "type": "send_message", "message": {"type": "text", "text": text}, "next": next})
        })
        .collect();
    json!({"entry": "n0", "nodes": nodes})
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn large_bodies_do_not_block_other_requests() {
    let server = Server::start(Store::sqlite().await, &[("TIDINGS__METRICS__TOKEN", METRICS_TOKEN)]);
    let (client, quiet) = (server.client(), server.new_workspace("Quiet"));
    let neighbour = client.with_key(Some(&server.new_key(&quiet, "read")));
    let definition = json!({"definition": large_definition()});
    let turns = long_turns(&client).await;
    let mut table = b"external_id,first_name\n".to_vec();
    // A debug build reads this table in about 0.6 s: longer than a task may block a thread, and much shorter than the
    // time limit of a request, which a busy computer exceeds with shorter rows.
    let row = format!("a,{}\n", "b".repeat(12));
    while table.len() < (5 << 20) - 1 {
        table.extend_from_slice(row.as_bytes());
    }
    // The end of the table is invalid: an unclosed quote.
    table.truncate((5 << 20) - 3);
    table.extend_from_slice(b"\n\"a");
    let attack = async {
        let validate = (0..6).map(|_| client.post("/api/v1/flows/validate", &definition));
        let import = (0..4).map(|_| {
            client.send("POST", "/api/v1/contacts/import", &[("content-type", "text/csv")], Some(table.clone()))
        });
        futures::join!(join_all(validate), join_all(import))
    };
    futures::pin_mut!(attack);
    let mut served = 0;
    let (validated, imported) = loop {
        tokio::select! {
            answers = &mut attack => break answers,
            reply = neighbour.get("/api/v1/tags") => {
                reply.expect(200);
                served += 1;
            }
        }
    };
    let validated: Vec<u16> = validated.iter().map(|reply| reply.status).collect();
    let imported: Vec<u16> = imported.into_iter().map(|reply| reply.unwrap().status).collect();
    assert!(validated.contains(&200) && validated.iter().all(|it| [200, 429].contains(it)), "{validated:?}");
    assert!(imported.contains(&422) && imported.iter().all(|it| [422, 429].contains(it)), "{imported:?}");
    assert!(served > 0);
    assert_eq!(long_turns(&client).await, turns, "a thread was blocked: {}", server.log());
}
