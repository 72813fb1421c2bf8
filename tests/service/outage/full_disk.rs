//! A full disk: the server reports it, loses no acknowledged data, and recovers when space is free.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::json;
use tidings_storage::{Storage, StorageSettings};

use crate::support::{Client, Server, Store};

const DISK: u64 = 24 << 20;

/// A disk that a test can fill and free.
enum Disk {
    /// A small file system in a separate namespace; a file on it takes the free space.
    Mounted { ballast: PathBuf },
    /// If the system does not permit mounting: a limit for the length of the files of the process.
    Limited { process: u32 },
}

impl Disk {
    fn may_mount() -> bool {
        Command::new("unshare").args(["-rm", "true"]).status().is_ok_and(|status| status.success())
    }

    fn of(server: &Server, folder: &Path) -> Self {
        let process = server.process();
        match Self::may_mount() {
            true => {
                Self::Mounted { ballast: PathBuf::from(format!("/proc/{process}/root{}/ballast", folder.display())) }
            }
            false => Self::Limited { process },
        }
    }

    /// Returns the shell command that starts the server on such a disk, with a copy of the folder.
    fn wrapper(folder: &Path) -> String {
        let folder = folder.display();
        match Self::may_mount() {
            true => format!(
                "exec unshare -rm sh -c 'cp -a {folder} {folder}.kept && mount -t tmpfs -o size={DISK} tmpfs {folder} \
                 && cp -a {folder}.kept/. {folder}/ && exec \"$0\" \"$@\"' \"$0\" \"$@\""
            ),
            // A write beyond the limit fails, instead of ending the process with a signal.
            false => "trap '' XFSZ; exec \"$0\" \"$@\"".to_owned(),
        }
    }

    fn fill(&self, database: &Path) {
        match self {
            Self::Mounted { ballast } => {
                let whole = vec![0; 1 << 20];
                let mut file = std::fs::File::create(ballast).unwrap();
                while std::io::Write::write_all(&mut file, &whole).is_ok() {}
            }
            Self::Limited { process } => {
                let log = database.with_extension("db-wal");
                let length = std::fs::metadata(log).unwrap().len().to_string();
                limit_files(*process, &length);
            }
        }
    }

    fn free(&self) {
        match self {
            Self::Mounted { ballast } => std::fs::remove_file(ballast).unwrap(),
            Self::Limited { process } => limit_files(*process, "unlimited"),
        }
    }
}

fn limit_files(process: u32, length: &str) {
    let (process, length) = (process.to_string(), format!("--fsize={length}:unlimited"));
    assert!(Command::new("prlimit").args(["--pid", &process, &length]).status().unwrap().success());
}

async fn create(client: &Client, name: &str) -> u16 {
    let body = json!({"external_id": name, "first_name": "x".repeat(100), "last_name": "y".repeat(100)});
    client.post("/api/v1/contacts", &body).await.status
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reports_a_full_disk_loses_nothing_and_recovers() {
    let store = Store::sqlite().await;
    let Store::Sqlite(file) = &store else { unreachable!() };
    let (folder, database) = (file.folder().to_owned(), file.path());
    let mut server = Server::provision(store, &[]);
    server.wrap(Disk::wrapper(&folder));
    server.serve();
    let (client, disk) = (server.client(), Disk::of(&server, &folder));
    client.get("/readyz").await.expect(200);
    for number in 0..20 {
        assert_eq!(create(&client, &format!("before{number}")).await, 201);
    }

    disk.fill(&database);
    let (mut acknowledged, mut refused) = (Vec::new(), 0);
    for number in 0..10_000 {
        let name = format!("during{number}");
        match create(&client, &name).await {
            201 => acknowledged.push(name),
            503 => refused += 1,
            status => panic!("{status}"),
        }
        if refused > 0 && client.get("/readyz").await.status == 503 {
            break;
        }
        assert!(
            refused < 10,
            "ten writes were rejected, but the server is ready: {}",
            client.get("/readyz").await.text
        );
    }
    let ready = client.get("/readyz").await.expect(503);
    assert!(ready["detail"].as_str().unwrap().contains("writes: "), "{ready}");
    client.get("/api/v1/contacts/external_id:before0").await.expect(200);

    disk.free();
    client.until_status("/readyz", 200).await;
    assert_eq!(create(&client, "after").await, 201);
    let before = (0..20).map(|number| format!("before{number}"));
    for name in before.chain(acknowledged) {
        client.get(&format!("/api/v1/contacts/external_id:{name}")).await.expect(200);
    }
    // The copy that the disk's command makes.
    let _ = std::fs::remove_dir_all(format!("{}.kept", folder.display()));
}

#[tokio::test]
async fn a_probe_of_1_mib_finds_room_on_both_databases() {
    let sqlite = Store::sqlite().await;
    let postgres = Store::postgres().await;
    for store in [&sqlite, &postgres] {
        let storage = Storage::open(&StorageSettings::new(store.url())).await.unwrap();
        storage.migrate().await.unwrap();
        storage.probe_room().await.unwrap();
        assert!(!storage.failed_on_disk(Duration::from_secs(60)), "the rollback of the probe is not a failure");
    }
}
