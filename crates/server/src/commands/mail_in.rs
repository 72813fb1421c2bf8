//! `tidings mail-in`: posts a mail from standard input to an email channel, for a mail server on this machine. It reads
//! neither settings nor a database.

use std::io::{Read, stdin};
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode};
use tidings_credentials::system::{SystemClock, SystemIds};
use tidings_domain::ports::{Clock, Ids};
use tidings_webhook_sender::{SigningSecret, headers, sign};

use super::block_on;
use crate::cli::MailInOptions;
use crate::failure::{Failure, root_cause};

/// The largest mail that a channel accepts, in bytes.
const MAX_MAIL: u64 = 25 * 1024 * 1024;
/// The longest wait for the response of the server.
const PATIENCE: Duration = Duration::from_secs(60);
/// The exit code after which a mail server returns the mail (`EX_DATAERR` of sysexits.h).
const RETURN: u8 = 65;
/// The exit code after which a mail server tries again later (`EX_TEMPFAIL` of sysexits.h).
const LATER: u8 = 75;
/// The responses that reject the mail itself.
const REJECTIONS: [StatusCode; 3] =
    [StatusCode::BAD_REQUEST, StatusCode::PAYLOAD_TOO_LARGE, StatusCode::UNPROCESSABLE_ENTITY];

/// Signs the mail and posts it once.
pub(crate) fn mail_in(options: &MailInOptions) -> Result<(), Failure> {
    let path = &options.secret_file;
    let secret = std::fs::read_to_string(path).map_err(later(format!("cannot read {}", path.display())))?;
    let secret = SigningSecret::parse(secret.trim()).map_err(|error| Failure::exiting(LATER, error.to_string()))?;
    let mut mail = Vec::new();
    stdin().take(MAX_MAIL + 1).read_to_end(&mut mail).map_err(later("cannot read the mail".to_owned()))?;
    if u64::try_from(mail.len()).is_ok_and(|length| length > MAX_MAIL) {
        return Err(Failure::exiting(RETURN, format!("the mail is larger than {MAX_MAIL} bytes")));
    }
    // A provider that is already installed is the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    block_on(post(options, &secret, mail))
}

/// Returns a function for `map_err`: the mail server keeps the mail.
fn later(what: String) -> impl FnOnce(std::io::Error) -> Failure {
    move |error| Failure::exiting(LATER, format!("{what}: {error}"))
}

#[expect(clippy::disallowed_methods, reason = "the person's own server is called")]
async fn post(options: &MailInOptions, secret: &SigningSecret, mail: Vec<u8>) -> Result<(), Failure> {
    let client = Client::builder().timeout(PATIENCE).redirect(Policy::none()).no_proxy().build();
    let client = client.map_err(|error| Failure::exiting(LATER, format!("cannot create an HTTP client: {error}")))?;
    let (id, now) = (format!("in_{}", SystemIds.next()), SystemClock.now().unix_seconds());
    let signed = sign(std::slice::from_ref(secret), &id, now, &mail);
    let request = client
        .post(options.url.clone())
        .header("content-type", "message/rfc822")
        .header(headers::WEBHOOK_ID, &id)
        .header(headers::WEBHOOK_TIMESTAMP, now.to_string())
        .header(headers::WEBHOOK_SIGNATURE, &signed.standard)
        .body(mail);
    // The URL is not shown: its path is a secret.
    let response = request.send().await.map_err(|error| {
        Failure::exiting(LATER, format!("the server cannot be reached: {}", root_cause(&error.without_url())))
    })?;
    let status = response.status();
    match exit_code(status) {
        None => Ok(()),
        Some(LATER) => {
            let advice = advice(status);
            Err(Failure::exiting(
                LATER,
                format!("the server answered {status}; the mail server must try again{advice}"),
            ))
        }
        Some(code) => Err(Failure::exiting(code, format!("the server does not accept the mail: it answered {status}"))),
    }
}

/// Returns the exit code for a response. `None` if the mail is stored. A wrong URL or secret is a mistake of the
/// operator, and no reason to return the mail.
fn exit_code(status: StatusCode) -> Option<u8> {
    match status.is_success() {
        true => None,
        false if REJECTIONS.contains(&status) => Some(RETURN),
        false => Some(LATER),
    }
}

/// Returns advice for the operator, if the cause is the URL or the secret.
fn advice(status: StatusCode) -> &'static str {
    let elsewhere = [StatusCode::NOT_FOUND, StatusCode::METHOD_NOT_ALLOWED, StatusCode::UNSUPPORTED_MEDIA_TYPE];
    if status == StatusCode::UNAUTHORIZED {
        "; check that the file contains the inbound secret of the channel"
    } else if elsewhere.contains(&status) || status.is_redirection() {
        "; check that the URL is the inbound URL of an email channel"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mail_is_returned_only_if_the_server_rejects_it() {
        let code = |status: u16| exit_code(StatusCode::from_u16(status).unwrap());
        for (statuses, expected) in [
            (&[200, 202, 204][..], None),
            (&[301, 308, 401, 403, 404, 405, 408, 415, 429, 500, 503][..], Some(LATER)),
            (&[400, 413, 422][..], Some(RETURN)),
        ] {
            for status in statuses {
                assert_eq!(code(*status), expected, "{status}");
            }
        }
    }

    #[test]
    fn names_the_option_that_can_be_wrong() {
        let advice = |status: u16| advice(StatusCode::from_u16(status).unwrap());
        assert!(advice(401).contains("secret"), "{}", advice(401));
        for status in [301, 404, 405, 415] {
            assert!(advice(status).contains("URL"), "{status}: {}", advice(status));
        }
        assert_eq!((advice(429), advice(503)), ("", ""));
    }
}
