//! The commands of the documentation, executed in a shell with a running server: every `curl` must succeed.
//!
//! A block of `sh` with a `curl` runs with the variables that `CONTRIBUTING.md` lists. A block that cannot run here has
//! `<!-- not run: why -->` in the line before it and is counted. `tour.rs` runs the tours.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::support::people::OFTEN;
use crate::support::{Person, Server, Store};

/// The number of blocks marked as not run. Update it with the marks.
const NOT_RUN: usize = 4;
/// The prelude of every block: an error status fails, and curl prints no progress.
const SHELL: &str = "set -euo pipefail\ncurl() { command curl --silent --show-error --fail-with-body \"$@\"; }\n";

struct Block {
    place: String,
    text: String,
    is_run: bool,
}

/// Returns the blocks of a document that contain a `curl`, outside tours.
fn blocks(name: &str, document: &str) -> Vec<Block> {
    let (mut found, mut block, mut mark, mut tour) = (Vec::new(), None::<(usize, String)>, false, false);
    for (number, line) in document.lines().enumerate() {
        match &mut block {
            Some((begin, text)) if line.trim() == "```" => {
                let place = format!("{name}:{begin}");
                if text.contains("curl") && !tour {
                    found.push(Block { place, text: std::mem::take(text), is_run: !mark });
                }
                (block, mark) = (None, false);
            }
            Some((_, text)) => {
                text.push_str(line);
                text.push('\n');
            }
            None if line.starts_with("```") => block = Some((number + 1, String::new())),
            None if line.starts_with("<!-- tour:begin") => tour = true,
            None if line.starts_with("<!-- tour:end") => tour = false,
            None if line.starts_with("<!-- not run: ") => mark = true,
            None => {}
        }
    }
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Returns README and all documents except the decisions, sorted by path within their folder.
fn documents() -> Vec<(String, String)> {
    let docs = root().join("docs");
    let mut paths = vec![root().join("README.md")];
    for folder in ["", "tutorials", "how-to", "reference", "explanation"] {
        let entries = std::fs::read_dir(docs.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        paths.extend(entries.filter(|path| path.extension().is_some_and(|it| it == "md")));
    }
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        (name, std::fs::read_to_string(&path).unwrap())
    };
    paths.into_iter().map(read).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_curl_of_the_documents_succeeds() {
    let server = Server::start(Store::sqlite().await, &[OFTEN]);
    let client = server.client();
    // Objects that the examples use.
    for tag in ["vip", "newsletter"] {
        client.post("/api/v1/tags", &json!({"name": tag})).await.expect(201);
    }
    client.post("/api/v1/custom-fields", &json!({"key": "plan", "name": "Plan", "type": "text"})).await.expect(201);
    let webhook = json!({"url": "https://example.com/hooks", "events": ["channel.disconnected"]});
    let webhook = client.post("/api/v1/webhooks", &webhook).await.expect(201);
    let channel = client.get("/api/v1/channels").await.expect(200)["data"][0]["id"].clone();
    let broadcast = json!({"name": "Spring", "channel_id": channel, "audience": {"all": []},
        "message": {"type": "text", "text": "Hello"}});
    let broadcast = client.post("/api/v1/broadcasts", &broadcast).await.expect(201);
    let token = Person::new(&server, &server.workspace, "owner").token(&server).await;
    let folder = std::env::temp_dir().join(format!("tidings-documents-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let docs = folder.join("docs");
    if !docs.exists() {
        std::os::unix::fs::symlink(root().join("docs"), &docs).unwrap();
    }
    let (mut run, mut left_out) = (0, 0);
    for (name, document) in documents() {
        for block in blocks(&name, &document) {
            if !block.is_run {
                left_out += 1;
                continue;
            }
            run += 1;
            let mut shell = Command::new("bash");
            shell.current_dir(&folder).args(["-c", &format!("{SHELL}{}", block.text)]);
            shell
                .env("TIDINGS", &server.base)
                .env("KEY", &server.key)
                .env("TOKEN", &token)
                .env("WS", &server.workspace)
                .env("HOOK", webhook["id"].as_str().unwrap())
                .env("BROADCAST", broadcast["id"].as_str().unwrap());
            shell.env("USAGE", format!("{}/platform/workspaces/{}/usage", server.base, server.workspace));
            let done = tokio::task::spawn_blocking(move || shell.output().expect("bash is installed")).await.unwrap();
            let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let (printed, wrong) = (said(&done.stdout), said(&done.stderr));
            assert!(done.status.success(), "{}\n{}\n{printed}\n{wrong}", block.place, block.text);
        }
    }
    assert!(run >= 6, "the documents have commands: {run}");
    assert_eq!(left_out, NOT_RUN, "the number of blocks that are marked as not run");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn finds_blocks_with_their_lines() {
    let document = "a\n```sh\ncurl one\n```\n<!-- not run: it is far away -->\n```sh\ncurl two\n```\n```sh\nls\n```\n\
                    <!-- tour:begin. -->\n```sh\ncurl three\n```\n<!-- tour:end -->\n```sh\ncurl four\n```\n";
    let found = blocks("a.md", document);
    let told: Vec<_> = found.iter().map(|it| (it.place.as_str(), it.text.trim(), it.is_run)).collect();
    assert_eq!(told, [("a.md:2", "curl one", true), ("a.md:6", "curl two", false), ("a.md:17", "curl four", true)]);
}
