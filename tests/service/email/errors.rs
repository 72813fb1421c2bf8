//! The answers of a mail server, which decide about a message.

use super::mail_server::Fault;
use super::{Line, MailServer, SETTINGS, written};
use crate::support::{Server, Store};

pub(super) async fn the_answers_of_a_mail_server_decide(store: Store) {
    let mail = MailServer::start().await;
    let server = Server::start(store, &SETTINGS);
    let line = Line::open(&server, &mail).await;
    assert_eq!(line.arrives(&written("m1", "Hello", "Hi")).await.status, 200);
    for (fault, status, code) in [
        (Fault::Answer("RCPT", "550 5.1.1 no such user"), "failed", "unreachable"),
        (Fault::Answer("RCPT", "550 5.7.1 policy"), "failed", "recipient_rejected"),
        (Fault::Answer("DATA", "554 5.7.1 spam"), "failed", "message_rejected"),
        (Fault::Close("."), "uncertain", "outcome_unknown"),
    ] {
        mail.fail_next(fault);
        let message = line.send_until(status).await;
        assert_eq!(message["error"]["code"], code, "{message}");
    }
    assert_eq!(mail.mails(), Vec::<String>::new());
    // The server had no time before, and accepts the mail later.
    mail.fail_next(Fault::Answer("MAIL", "421 4.3.2 busy"));
    line.send_until("sent").await;
    assert_eq!(mail.mails().len(), 1);
}
