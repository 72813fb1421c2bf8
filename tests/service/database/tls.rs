//! TLS to PostgreSQL: a private authority, verification of the server, client certificates.

use std::path::Path;
use std::time::Instant;

use tidings_domain::ports::StoreError;
use tidings_domain::time::Timestamp;
use tidings_storage::{Storage, StorageSettings};
use tidings_storage_suite::databases::run;

use super::{IN_TIME, reload};
use crate::support::cluster::Cluster;
use crate::support::{Server, Store};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/service/database/testdata");

/// Returns the path of a file that the folder's script generates.
fn file(name: &str) -> String {
    let path = Path::new(FOLDER).canonicalize().unwrap().join(name);
    path.to_str().unwrap().to_owned()
}

/// Makes PostgreSQL write a file in its own folder that only it can read.
async fn put(cluster: &Cluster, name: &str, text: &str) {
    let lines = text.lines().map(|line| format!("('{line}')")).collect::<Vec<_>>().join(",");
    run(&cluster.url, &format!("COPY (VALUES {lines}) TO PROGRAM 'umask 077; cat > {name}'")).await;
}

/// Queries the database at the URL; returns the error if that fails.
async fn asked(url: &str) -> Result<Timestamp, StoreError> {
    let storage = Storage::open(&StorageSettings { pool_size: 1, ..StorageSettings::new(url) }).await;
    storage.unwrap().clock(Timestamp::EPOCH_2026).await
}

async fn refused(url: &str, why: &str) {
    let told = asked(url).await.unwrap_err().to_string();
    assert!(told.contains(why), "{url}: {told}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn supports_tls_with_a_private_ca_and_client_certificates() {
    let cluster = Cluster::start();
    let (url, root) = (&cluster.url, file("authority.test.crt"));
    refused(&format!("{url}?sslmode=require"), "turn on `ssl` in PostgreSQL").await;
    // Without TLS: no warning on this machine, but on others.
    let here = Server::start(Store::At(url.clone()), &[]);
    for parameters in ["sslmode=disable", "sslmode=prefer"] {
        let (doctor, log) = elsewhere(&here, parameters);
        assert!(doctor.contains("0.0.0.0") && doctor.contains(WARNING), "{parameters}: {doctor}");
        assert!(log.contains("0.0.0.0") && log.contains(WARNING), "{parameters}: {log}");
    }
    let (_, doctor) = here.attempt(&["doctor"], &[]);
    assert!(!doctor.contains(WARNING) && !here.log().contains(WARNING), "{doctor} {}", here.log());

    for name in ["authority.test.crt", "server.test.crt", "server.test.key"] {
        put(&cluster, name, &std::fs::read_to_string(file(name)).unwrap()).await;
    }
    for (setting, name) in [
        ("ssl_ca_file", "authority.test.crt"),
        ("ssl_cert_file", "server.test.crt"),
        ("ssl_key_file", "server.test.key"),
    ] {
        run(url, &format!("ALTER SYSTEM SET {setting} = '{name}'")).await;
    }
    reload(&cluster, "ssl", "on").await;

    let (doctor, log) = elsewhere(&here, "sslmode=prefer");
    assert!(!doctor.contains(WARNING) && !log.contains(WARNING), "{doctor} {log}");
    drop(here);
    let verified = format!("{url}?sslmode=verify-full&sslrootcert={root}");
    asked(&verified).await.unwrap();
    asked(&format!("{url}?sslrootcert={root}")).await.unwrap();
    asked(&format!("{url}?sslmode=prefer")).await.unwrap();
    asked(&format!("{url}?sslmode=disable")).await.unwrap();
    let unknown = "set the certificate of the server's authority with sslrootcert";
    refused(&format!("{url}?sslmode=verify-full"), unknown).await;
    for mode in ["verify-full", "verify-ca", "require", "prefer"] {
        let stranger = file("stranger.test.crt");
        refused(&format!("{url}?sslmode={mode}&sslrootcert={stranger}"), unknown).await;
    }
    // The certificate is for 127.0.0.1.
    let named = verified.replace("127.0.0.1", "localhost");
    refused(&named, "use the host name of the server certificate in storage.url").await;
    asked(&named.replace("verify-full", "verify-ca")).await.unwrap();

    // From now on, TLS and a client certificate of the role are required.
    put(&cluster, "pg_hba.conf", "hostssl all all 127.0.0.1/32 trust clientcert=verify-full").await;
    run(url, "SELECT pg_reload_conf()").await;
    let began = Instant::now();
    while asked(&verified).await.is_ok() {
        assert!(began.elapsed() < IN_TIME, "a client without a certificate was accepted");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    refused(&verified, "set a client certificate of this role with sslcert and sslkey").await;
    let known = format!("{verified}&sslcert={}&sslkey={}", file("client.test.crt"), file("client.test.key"));
    asked(&known).await.unwrap();
    // The whole program uses it: migrations, commands, requests and the engine.
    let server = Server::start(Store::At(known), &[]);
    server.client().get("/readyz").await.expect(200);
}

/// Connects by an address that only the operating system resolves to this machine, so it looks like another machine.
/// Returns the output of `doctor` and the log of a server.
fn elsewhere(here: &Server, parameters: &str) -> (String, String) {
    let url = format!("{}?{parameters}", here.url().replace("@127.0.0.1:", "@0.0.0.0:"));
    let (_, said) = here.attempt(&["doctor"], &[("TIDINGS__STORAGE__URL", &url)]);
    let mut server = here.elsewhere(Store::At(url));
    server.serve();
    (said, server.log())
}

const WARNING: &str = "The next release refuses connections to other machines without TLS";
