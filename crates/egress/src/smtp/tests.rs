use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::scripted::{MailServer, Script};
use super::*;
use crate::client::EgressSettings;

async fn line(socket: &mut Socket) -> String {
    let mut line = Vec::new();
    while !line.ends_with(b"\n") {
        line.push(socket.read_u8().await.unwrap());
    }
    String::from_utf8(line).unwrap()
}

async fn failure(script: Script) -> SmtpError {
    let server = MailServer::start(script).await;
    let mut dial = server.dial();
    dial.bounds.open = Duration::from_secs(2);
    server.egress().dial_smtp(dial).await.unwrap_err()
}

fn failed(sentence: &str) -> SmtpError {
    SmtpError::Failed(EgressError::Failed(sentence.to_owned()))
}

#[tokio::test]
async fn returns_the_greeting_and_an_encrypted_connection() {
    for tls in [SmtpTls::Implicit, SmtpTls::StartTls] {
        let server = MailServer::start(Script::new(tls)).await;
        let mut socket = server.egress().dial_smtp(server.dial()).await.unwrap();
        assert_eq!(socket.peer_addr(), server.address);
        assert_eq!([line(&mut socket).await, line(&mut socket).await].concat(), "220-mail.test\r\n220 ready\r\n");
        socket.write_all(b"EHLO tidings.test\r\n").await.unwrap();
        socket.flush().await.unwrap();
        assert_eq!(line(&mut socket).await, "250-mail.test\r\n");
        assert_eq!(line(&mut socket).await, "250 AUTH PLAIN\r\n");
        let lines = server.lines();
        match tls {
            SmtpTls::Implicit => assert_eq!(lines, ["EHLO tidings.test"]),
            SmtpTls::StartTls => {
                assert_eq!(lines, ["plain: EHLO tidings.test", "plain: STARTTLS", "EHLO tidings.test"]);
            }
        }
    }
}

#[tokio::test]
async fn does_not_continue_without_encryption() {
    for hello in ["250 mail.test\r\n", "250-mail.test\r\n250-XSTARTTLS\r\n250 STARTTLSX\r\n"] {
        let script = Script { hello: hello.to_owned(), ..Script::new(SmtpTls::StartTls) };
        let server = MailServer::start(script).await;
        assert_eq!(server.egress().dial_smtp(server.dial()).await.unwrap_err(), SmtpError::NoTls);
        assert_eq!(server.lines(), ["plain: EHLO tidings.test"]);
    }
}

#[tokio::test]
async fn rejects_bytes_that_are_injected_before_the_handshake() {
    let injected = "220 go ahead\r\n250-mail.test\r\n250 AUTH PLAIN\r\n".to_owned();
    let error = failure(Script { start_tls: injected, ..Script::new(SmtpTls::StartTls) }).await;
    assert_eq!(error, failed("The TLS handshake failed."));
}

#[tokio::test]
async fn returns_the_code_and_text_of_a_server_that_refuses() {
    let script = Script::new(SmtpTls::StartTls);
    for (script, code, text) in [
        (Script { greeting: "554-no\r\n554 5.7.1 \u{7}never\r\n".to_owned(), ..script.clone() }, 554, "no 5.7.1 never"),
        (Script { hello: "421 busy\r\n".to_owned(), ..script.clone() }, 421, "busy"),
        (Script { start_tls: "454 TLS not available\r\n".to_owned(), ..script.clone() }, 454, "TLS not available"),
    ] {
        assert_eq!(failure(script).await, SmtpError::Refused { code, text: text.to_owned() });
    }
    let long = failure(Script { greeting: format!("554 {}\r\n", "x".repeat(2_000)), ..script }).await;
    assert!(matches!(&long, SmtpError::Refused { text, .. } if text.len() == MAX_SHOWN), "{long:?}");
}

#[tokio::test]
async fn rejects_a_server_that_does_not_speak_smtp() {
    let endless = format!("220-{}\r\n", "x".repeat(100)).repeat(200);
    for greeting in ["HTTP/1.1 400 Bad Request\r\n", "\r\n", "22\r\n", "220x\r\n", "999 \r\n", &endless] {
        let script = Script { greeting: greeting.to_owned(), ..Script::new(SmtpTls::StartTls) };
        assert_eq!(failure(script).await, failed("The answer is not valid SMTP."), "{greeting}");
    }
    let script = Script { greeting: "220 plain\r\n".to_owned(), ..Script::new(SmtpTls::StartTls) };
    let server = MailServer::start(script).await;
    let dial = SmtpDial { tls: SmtpTls::Implicit, ..server.dial() };
    assert_eq!(server.egress().dial_smtp(dial).await.unwrap_err(), failed("The TLS handshake failed."));
}

#[tokio::test]
async fn limits_the_time_to_open_a_connection() {
    for tls in [SmtpTls::Implicit, SmtpTls::StartTls] {
        let server = MailServer::silent(tls).await;
        let mut dial = server.dial();
        dial.bounds.open = Duration::from_millis(100);
        let error = server.egress().dial_smtp(dial).await.unwrap_err();
        assert_eq!(error, SmtpError::Failed(EgressError::TimedOut));
    }
}

#[tokio::test]
async fn limits_the_time_of_one_read() {
    let silent = Script { greeting: String::new(), ..Script::new(SmtpTls::Implicit) };
    let server = MailServer::start(silent).await;
    let mut dial = server.dial();
    dial.bounds.idle = Duration::from_millis(100);
    let mut socket = server.egress().dial_smtp(dial).await.unwrap();
    assert_eq!(socket.read_u8().await.unwrap_err().kind(), io::ErrorKind::TimedOut);
}

#[tokio::test]
async fn limits_the_time_of_one_write() {
    let silent = Script { greeting: "x".repeat(32 * 1024 * 1024), ..Script::new(SmtpTls::Implicit) };
    let server = MailServer::start(silent).await;
    let mut dial = server.dial();
    dial.bounds.idle = Duration::from_millis(100);
    let mut socket = server.egress().dial_smtp(dial).await.unwrap();
    // The server reads nothing while its own greeting is not read.
    let error = loop {
        if let Err(error) = socket.write_all(&[b'x'; 65_536]).await {
            break error;
        }
    };
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
}

#[tokio::test]
async fn limits_the_number_of_bytes_that_are_read() {
    let flood = Script { greeting: "x".repeat(200_000), ..Script::new(SmtpTls::Implicit) };
    let server = MailServer::start(flood).await;
    let mut dial = server.dial();
    dial.bounds.max_read = 100_000;
    let mut socket = server.egress().dial_smtp(dial).await.unwrap();
    let mut read = Vec::new();
    let error = socket.read_to_end(&mut read).await.unwrap_err();
    assert_eq!(error.to_string(), "more than 100000 bytes arrived");
    assert!(read.len() <= 100_000, "{}", read.len());
}

#[tokio::test]
async fn trusts_the_authorities_of_the_settings_and_checks_the_name() {
    for tls in [SmtpTls::Implicit, SmtpTls::StartTls] {
        let server = MailServer::start(Script::new(tls)).await;
        let without = EgressSettings { allow_loopback: true, ..EgressSettings::default() };
        let error = server.egress_with(without).dial_smtp(server.dial()).await.unwrap_err();
        assert!(error.to_string().contains("not from a known authority"), "{error}");
        for host in ["other.test".to_owned(), server.address.ip().to_string()] {
            let error = server.egress().dial_smtp(SmtpDial { host, ..server.dial() }).await.unwrap_err();
            assert_eq!(error, failed("The TLS certificate is for another host name."));
        }
        assert!(server.lines().iter().all(|line| line.starts_with("plain: ")), "{:?}", server.lines());
    }
}

#[tokio::test]
async fn rejects_private_addresses_unless_their_network_is_open() {
    let server = MailServer::start(Script::new(SmtpTls::Implicit)).await;
    let closed = server.egress_with(EgressSettings::default());
    for host in ["receiver.test", "127.0.0.1", "localhost", "10.0.0.1", "0x0a000001", "[::1]", "169.254.169.254"] {
        let error = closed.dial_smtp(SmtpDial { host: host.to_owned(), ..server.dial() }).await.unwrap_err();
        assert!(matches!(error, SmtpError::Failed(EgressError::Forbidden(_))), "{host}: {error:?}");
    }
    assert!(server.lines().is_empty());
    let open = server.egress_with(EgressSettings {
        allowed_networks: vec!["10.0.0.0/8".parse().unwrap()],
        connect_time_out: Duration::from_millis(50),
        ..EgressSettings::default()
    });
    for (host, is_refused) in [("10.255.255.77", false), ("192.168.255.77", true)] {
        let error = open.dial_smtp(SmtpDial { host: host.to_owned(), ..server.dial() }).await.unwrap_err();
        assert_eq!(matches!(error, SmtpError::Failed(EgressError::Forbidden(_))), is_refused, "{host}: {error:?}");
    }
}

#[tokio::test]
async fn rejects_ports_of_other_services() {
    let server = MailServer::start(Script::new(SmtpTls::Implicit)).await;
    for port in [0, 22, 24, 80, 110, 443, 993, 2526, 6379] {
        let error = server.egress().dial_smtp(SmtpDial { port, ..server.dial() }).await.unwrap_err();
        assert_eq!(error.to_string(), format!("Port {port} is not allowed: use 25, 465, 587 or 2525."));
    }
}

#[tokio::test]
async fn rejects_a_name_that_would_add_a_command() {
    let server = MailServer::start(Script::new(SmtpTls::StartTls)).await;
    for hello in ["", "a b", "a\r\nRSET", "ä.test"] {
        let error = server.egress().dial_smtp(SmtpDial { hello: hello.to_owned(), ..server.dial() }).await.unwrap_err();
        assert_eq!(error, failed("The name for EHLO is not a host name."));
    }
    assert!(server.lines().is_empty());
}

#[tokio::test]
async fn reports_a_closed_port() {
    let closed = MailServer::start(Script::new(SmtpTls::Implicit)).await;
    let dial = SmtpDial { port: 587, ..closed.dial() };
    assert_eq!(closed.egress().dial_smtp(dial).await.unwrap_err(), failed("The connection was refused."));
}
