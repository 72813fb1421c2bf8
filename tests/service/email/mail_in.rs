//! `tidings mail-in`, by which a mail server of the same machine posts its mail.

use std::io::Write;
use std::process::{Command, Stdio};

use tidings_storage_suite::databases::SqliteFile;

use super::{Line, MailServer, SETTINGS, written};
use crate::support::{Server, Store};

pub(super) async fn a_mail_server_of_this_machine_posts_its_mail(store: Store) {
    let mail = MailServer::start().await;
    let server = Server::start(store, &SETTINGS);
    let line = Line::open(&server, &mail).await;
    let place = SqliteFile::new();
    let file = place.folder().join("inbound.secret");
    std::fs::write(&file, format!("{}\n", line.secret)).unwrap();
    let file = file.to_str().unwrap();
    let run = |url: &str, secret: &str, mail: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tidings"));
        command.env_clear().args(["mail-in", "--url", url, "--secret-file", secret]);
        let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The command may end before it reads the mail.
        let _ = child.stdin.take().unwrap().write_all(mail.as_bytes());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!said.contains("/inbound/"), "the path of the channel is a secret: {said}");
        (output.status.code(), said)
    };
    let url = format!("{}{}", server.base, line.inbound);
    let hello = written("m1", "Hello", "Hi");
    for _ in 0..2 {
        assert_eq!(run(&url, file, &hello).0, Some(0));
    }
    let list = line.client.get(&line.messages().await).await.expect(200);
    assert_eq!(list["data"].as_array().unwrap().len(), 1, "{list}");
    assert_eq!(run(&url, file, "no mail").0, Some(0), "it is kept for the operator");
    assert_eq!(line.unparsed().await.len(), 1);
    let other = place.folder().join("other.secret");
    std::fs::write(&other, "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n").unwrap();
    let (code, said) = run(&url, other.to_str().unwrap(), &hello);
    assert_eq!(code, Some(75), "a wrong secret is no reason to return the mail");
    assert!(said.contains("401") && said.contains("inbound secret"), "{said}");
    let (code, said) = run(&format!("{url}x"), file, &hello);
    assert_eq!(code, Some(75), "a wrong URL is no reason to return the mail");
    assert!(said.contains("404") && said.contains("inbound URL"), "{said}");
    assert_eq!(run(&url, "/nowhere/inbound.secret", &hello).0, Some(75));
    assert_eq!(run("http://127.0.0.1:1/inbound/x", file, &hello).0, Some(75));
}
