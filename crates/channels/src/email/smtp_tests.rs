use std::sync::{Arc, Mutex};

use tokio::io::{DuplexStream, duplex};

use super::*;

const SOON: Patience =
    Patience { command: Duration::from_millis(200), data: Duration::from_millis(200), dot: Duration::from_millis(200) };

/// The behaviour after a line with this start was read.
enum Act {
    Answer(&'static str),
    Close,
    Silence,
}

/// A server that answers as a usual one, except for the given lines. Returns its side of the connection and the lines
/// that arrived.
fn server(acts: Vec<(&'static str, Act)>) -> (DuplexStream, Arc<Mutex<Vec<String>>>) {
    let (near, far) = duplex(64 * 1024);
    let lines = Arc::new(Mutex::new(Vec::new()));
    let recorded = Arc::clone(&lines);
    tokio::spawn(async move {
        let mut stream = BufReader::new(far);
        let (mut line, mut in_mail) = ("CONNECT".to_owned(), false);
        loop {
            let act = acts.iter().find(|(start, _)| line.starts_with(start) && (!in_mail || line == "."));
            let usual = match line.split(' ').next().unwrap() {
                "CONNECT" => "220-mail.example\r\n220 ready\r\n",
                "EHLO" => "250-mail.example\r\n250-SIZE 1000\r\n250 AUTH LOGIN PLAIN\r\n",
                "AUTH" => "235 2.7.0 welcome\r\n",
                "DATA" => "354 go ahead\r\n",
                "." => "250 2.0.0 queued as 7\r\n",
                "QUIT" => "221 bye\r\n",
                _ if in_mail => "",
                _ => "250 2.1.0 ok\r\n",
            };
            in_mail = (in_mail || line == "DATA") && line != ".";
            match act {
                Some((_, Act::Answer(answer))) => stream.write_all(answer.as_bytes()).await.unwrap(),
                Some((_, Act::Close)) => return,
                Some((_, Act::Silence)) => std::future::pending::<()>().await,
                None => stream.write_all(usual.as_bytes()).await.unwrap(),
            }
            line.clear();
            if stream.read_line(&mut line).await.unwrap() == 0 {
                return;
            }
            line = line.trim_end().to_owned();
            recorded.lock().unwrap().push(line.clone());
        }
    });
    (near, lines)
}

fn mail() -> Mail {
    let bytes = b"Subject: Hi\r\n\r\nFirst\r\n.hidden\r\n".to_vec();
    Mail { from: "shop@shop.example".to_owned(), to: "ada@example.com".to_owned(), bytes }
}

async fn send(acts: Vec<(&'static str, Act)>) -> Result<Reply, Failure> {
    let (stream, _lines) = server(acts);
    let mut session = Session::open(stream, "shop.example", SOON).await?;
    session.log_in("ada", "hunter2").await?;
    session.send(&mail()).await
}

#[tokio::test]
async fn sends_a_mail_after_the_log_in() {
    let (stream, lines) = server(Vec::new());
    let mut session = Session::open(stream, "shop.example", SOON).await.unwrap();
    session.log_in("ada", "hunter2").await.unwrap();
    let reply = session.send(&mail()).await.unwrap();
    assert_eq!((reply.code, reply.text.as_str()), (250, "2.0.0 queued as 7"));
    session.quit().await;
    let lines = lines.lock().unwrap().clone();
    let expected = [
        "EHLO shop.example",
        "AUTH PLAIN AGFkYQBodW50ZXIy",
        "MAIL FROM:<shop@shop.example> SIZE=31",
        "RCPT TO:<ada@example.com>",
        "DATA",
        "Subject: Hi",
        "",
        "First",
        "..hidden",
        ".",
    ];
    assert_eq!(lines[..expected.len()], expected);
}

#[tokio::test]
async fn logs_in_with_login_if_there_is_no_plain() {
    let greeting = ("EHLO", Act::Answer("250-x\r\n250 AUTH LOGIN XOAUTH2\r\n"));
    let asks = [("AUTH", Act::Answer("334 VXNlcm5hbWU6\r\n")), ("YWRh", Act::Answer("334 UGFzc3dvcmQ6\r\n"))];
    let acts: Vec<_> = [greeting].into_iter().chain(asks).collect();
    let (stream, lines) = server(acts);
    let mut session = Session::open(stream, "shop.example", SOON).await.unwrap();
    session.log_in("ada", "hunter2").await.unwrap();
    assert_eq!(lines.lock().unwrap()[1..], ["AUTH LOGIN", "YWRh", "aHVudGVyMg=="]);
    let none = send(vec![("EHLO", Act::Answer("250-x\r\n250 AUTH XOAUTH2\r\n"))]).await;
    assert!(matches!(none, Err(Failure::NoLogIn)), "{none:?}");
}

#[tokio::test]
async fn names_the_step_that_the_server_refused() {
    for (line, answer, step, code) in [
        ("CONNECT", "554 no\r\n", Step::Greeting, 554),
        ("EHLO", "421 4.3.2 busy\r\n", Step::Greeting, 421),
        ("AUTH", "535 5.7.8 wrong\r\n", Step::LogIn, 535),
        ("MAIL", "550 5.7.1 no\r\n", Step::Sender, 550),
        ("RCPT", "550-5.1.1 no such\r\n550 5.1.1 user\r\n", Step::Recipient, 550),
        ("DATA", "554 5.7.1 no\r\n", Step::Content, 554),
        (".", "452 4.3.1 full\r\n", Step::Content, 452),
    ] {
        let refused = send(vec![(line, Act::Answer(answer))]).await;
        let Err(Failure::Refused(at, reply)) = refused else { panic!("{line}: {refused:?}") };
        assert_eq!((at, reply.code), (step, code), "{line}");
    }
    let odd = send(vec![("DATA", Act::Answer("250 ok\r\n"))]).await;
    assert!(matches!(odd, Err(Failure::Refused(Step::Content, _))), "the text is only sent after 354: {odd:?}");
}

#[tokio::test]
async fn only_a_loss_after_the_final_dot_is_in_doubt() {
    for (line, step) in [
        ("CONNECT", Step::Greeting),
        ("EHLO", Step::Greeting),
        ("AUTH", Step::LogIn),
        ("MAIL", Step::Sender),
        ("RCPT", Step::Recipient),
        ("DATA", Step::Content),
    ] {
        for act in [Act::Close, Act::Silence, Act::Answer("what?\r\n")] {
            let lost = send(vec![(line, act)]).await;
            assert!(matches!(lost, Err(Failure::Interrupted(at, _)) if at == step), "{line}: {lost:?}");
        }
    }
    for act in [Act::Close, Act::Silence, Act::Answer("what?\r\n")] {
        let lost = send(vec![(".", act)]).await;
        assert!(matches!(lost, Err(Failure::LostAfterDot(_))), "{lost:?}");
    }
}

#[tokio::test]
async fn a_mail_over_the_size_of_the_server_is_not_sent() {
    let (stream, lines) = server(Vec::new());
    let mut session = Session::open(stream, "shop.example", SOON).await.unwrap();
    let large = Mail { bytes: vec![b'a'; 1_001], ..mail() };
    let refused = session.send(&large).await;
    assert!(matches!(refused, Err(Failure::TooLarge { limit: 1_000 })), "{refused:?}");
    assert_eq!(lines.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn bounds_the_answers_of_a_server() {
    let leaked = |text: String| -> &'static str { text.leak() };
    let endless = leaked("250-x\r\n".repeat(MAX_LINES + 1));
    let long = leaked(format!("250 {}\r\n", "x".repeat(4_000)));
    for answer in [endless, long, "25\r\n", "999 x\r\n", "250/x\r\n"] {
        let lost = send(vec![("EHLO", Act::Answer(answer))]).await;
        assert!(matches!(lost, Err(Failure::Interrupted(Step::Greeting, _))), "{lost:?}");
    }
}

#[test]
fn reads_enhanced_codes() {
    let of = |text: &str| Reply { code: 550, text: text.to_owned() }.enhanced().map(str::to_owned);
    assert_eq!(of("5.1.1 no such user").as_deref(), Some("5.1.1"));
    for text in ["no such user", "5.1 x", "5.1.1.1 x", "5.x.1", ""] {
        assert_eq!(of(text), None, "{text}");
    }
}

#[test]
fn doubles_the_dots_at_the_start_of_lines() {
    assert_eq!(stuffed(b".\r\na.b\r\n..c"), b"..\r\na.b\r\n...c\r\n");
    assert_eq!(stuffed(b"a\r\n"), b"a\r\n");
}

#[tokio::test]
async fn writes_a_large_mail_in_portions() {
    for mail in
        [".line\r\n".repeat(50_000), format!("{}\r\n.\r\nend", "x".repeat(PORTION - 1)), "x".repeat(PORTION + 1)]
    {
        let mut written = Vec::new();
        write_mail(&mut written, mail.as_bytes()).await.unwrap();
        assert!(written == stuffed(mail.as_bytes()), "{} bytes", mail.len());
    }
}
