//! SMTP (RFC 5321) over a connection that is encrypted already. Each step is one function, so the caller knows how far a
//! mail got.

use std::io;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::time::timeout;

use super::compose::Mail;

/// Maximum length of a line of an answer in bytes.
const MAX_LINE: u64 = 2_048;
/// Maximum number of lines of an answer.
const MAX_LINES: usize = 100;
/// Maximum number of characters of an answer that an error shows.
const MAX_SHOWN: usize = 300;
/// Size in bytes of the portions in which a mail is written. A portion ends with a line, so it can be larger.
const PORTION: usize = 64 * 1024;

/// Time limits of a conversation with a mail server.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    /// The longest wait for the answer to a command.
    pub(super) command: Duration,
    /// The longest wait until the text of a mail is written.
    pub(super) data: Duration,
    /// The longest wait for the answer to the final dot. RFC 5321 asks for 10 minutes, because a client that gives up
    /// earlier and repeats the mail sends it twice.
    pub(super) dot: Duration,
}

/// The time limits of RFC 5321 (section 4.5.3.2), shorter for commands.
pub(super) const PATIENCE: Patience =
    Patience { command: Duration::from_secs(60), data: Duration::from_secs(300), dot: Duration::from_secs(600) };

/// The answer of a mail server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reply {
    /// The reply code, such as 550.
    pub(super) code: u16,
    /// The lines without codes, as one text without control characters; at most 300 characters.
    pub(super) text: String,
}

impl Reply {
    /// Whether the server accepted the command.
    pub(super) fn is_positive(&self) -> bool {
        (200..400).contains(&self.code)
    }

    /// Returns the enhanced status code (RFC 3463) at the start of the text, such as `5.1.1`.
    pub(super) fn enhanced(&self) -> Option<&str> {
        let code = self.text.split(' ').next()?;
        let mut numbers = code.split('.');
        let is_number =
            |it: Option<&str>| it.is_some_and(|it| !it.is_empty() && it.bytes().all(|b| b.is_ascii_digit()));
        let is_code = (0..3).all(|_| is_number(numbers.next())) && numbers.next().is_none();
        is_code.then_some(code)
    }

    /// Describes the answer as a sentence.
    pub(super) fn sentence(&self) -> String {
        format!("The mail server answered {} {}.", self.code, self.text.trim_end_matches('.'))
    }
}

/// The step at which a mail was not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// The greeting or `EHLO`.
    Greeting,
    /// The log-in.
    LogIn,
    /// `MAIL FROM`.
    Sender,
    /// `RCPT TO`.
    Recipient,
    /// `DATA`, the text of the mail before its final dot, or the answer to the dot.
    Content,
}

/// The reason why a mail was not accepted.
#[derive(Debug)]
pub(super) enum Failure {
    /// The server refused a step.
    Refused(Step, Reply),
    /// The mail is larger than the server accepts.
    TooLarge {
        /// The limit of the server in bytes.
        limit: usize,
    },
    /// The server offers no log-in that the connector knows.
    NoLogIn,
    /// The connection ended before the final dot was sent.
    Interrupted(Step, io::Error),
    /// The connection ended after the final dot was sent. The server may have accepted the mail.
    LostAfterDot(io::Error),
}

/// The features that a server offers after `EHLO`.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Features {
    size: Option<usize>,
    mechanisms: Vec<String>,
}

impl Features {
    fn read(lines: &[String]) -> Self {
        let mut features = Self::default();
        for line in lines {
            let mut words = line.split_ascii_whitespace();
            match words.next().unwrap_or_default().to_ascii_uppercase().as_str() {
                "SIZE" => features.size = words.next().and_then(|size| size.parse().ok()).filter(|size| *size > 0),
                "AUTH" => features.mechanisms.extend(words.map(str::to_ascii_uppercase)),
                _ => {}
            }
        }
        features
    }
}

/// A conversation with a mail server.
pub(super) struct Session<S> {
    stream: BufReader<S>,
    patience: Patience,
    features: Features,
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send> Session<S> {
    /// Reads the greeting, and greets with the name `hello`.
    pub(super) async fn open(stream: S, hello: &str, patience: Patience) -> Result<Self, Failure> {
        let mut session = Self { stream: BufReader::new(stream), patience, features: Features::default() };
        let lines = session.answer(Step::Greeting).await?;
        accepted(Step::Greeting, &lines)?;
        let lines = session.command(Step::Greeting, &format!("EHLO {hello}")).await?;
        accepted(Step::Greeting, &lines)?;
        session.features = Features::read(&lines.texts);
        Ok(session)
    }

    /// Logs in with `PLAIN` (RFC 4616), otherwise with `LOGIN`.
    pub(super) async fn log_in(&mut self, user: &str, password: &str) -> Result<(), Failure> {
        let offers = |name: &str| self.features.mechanisms.iter().any(|it| it == name);
        let (offers_plain, offers_login) = (offers("PLAIN"), offers("LOGIN"));
        if offers_plain {
            let encoded = STANDARD.encode(format!("\0{user}\0{password}"));
            let lines = self.command(Step::LogIn, &format!("AUTH PLAIN {encoded}")).await?;
            return accepted(Step::LogIn, &lines).map(drop);
        }
        if !offers_login {
            return Err(Failure::NoLogIn);
        }
        for line in ["AUTH LOGIN".to_owned(), STANDARD.encode(user), STANDARD.encode(password)] {
            let lines = self.command(Step::LogIn, &line).await?;
            accepted(Step::LogIn, &lines)?;
        }
        Ok(())
    }

    /// Returns the largest mail that the server accepts, in bytes. `None` if the server does not state it.
    pub(super) fn size_limit(&self) -> Option<usize> {
        self.features.size
    }

    /// Sends a command that changes nothing.
    pub(super) async fn check(&mut self) -> Result<Reply, Failure> {
        let lines = self.command(Step::Greeting, "NOOP").await?;
        accepted(Step::Greeting, &lines)
    }

    /// Sends a mail. Returns the answer to the final dot.
    pub(super) async fn send(&mut self, mail: &Mail) -> Result<Reply, Failure> {
        if let Some(limit) = self.features.size.filter(|limit| mail.bytes.len() > *limit) {
            return Err(Failure::TooLarge { limit });
        }
        let size = self.features.size.map(|_| format!(" SIZE={}", mail.bytes.len())).unwrap_or_default();
        let lines = self.command(Step::Sender, &format!("MAIL FROM:<{}>{size}", mail.from)).await?;
        accepted(Step::Sender, &lines)?;
        let lines = self.command(Step::Recipient, &format!("RCPT TO:<{}>", mail.to)).await?;
        accepted(Step::Recipient, &lines)?;
        let lines = self.command(Step::Content, "DATA").await?;
        let reply = accepted(Step::Content, &lines)?;
        if reply.code != 354 {
            return Err(Failure::Refused(Step::Content, reply));
        }
        let interrupted = |error| Failure::Interrupted(Step::Content, error);
        within(self.patience.data, write_mail(&mut self.stream, &mail.bytes)).await.map_err(interrupted)?;
        // From here on, the server may accept the mail.
        let patience = self.patience;
        within(patience.command, write(&mut self.stream, b".\r\n")).await.map_err(Failure::LostAfterDot)?;
        let lines = within(patience.dot, read_lines(&mut self.stream)).await.map_err(Failure::LostAfterDot)?;
        accepted(Step::Content, &lines)
    }

    /// Ends the conversation. Errors have no effect.
    pub(super) async fn quit(mut self) {
        let _ = within(Duration::from_secs(5), write(&mut self.stream, b"QUIT\r\n")).await;
        let _ = within(Duration::from_secs(5), self.stream.shutdown()).await;
    }

    async fn command(&mut self, step: Step, line: &str) -> Result<Lines, Failure> {
        let written = within(self.patience.command, write(&mut self.stream, format!("{line}\r\n").as_bytes())).await;
        written.map_err(|error| Failure::Interrupted(step, error))?;
        self.answer(step).await
    }

    async fn answer(&mut self, step: Step) -> Result<Lines, Failure> {
        let lines = within(self.patience.command, read_lines(&mut self.stream)).await;
        lines.map_err(|error| Failure::Interrupted(step, error))
    }
}

async fn within<T>(limit: Duration, work: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    timeout(limit, work).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

async fn write<S: AsyncWrite + Unpin>(stream: &mut S, bytes: &[u8]) -> io::Result<()> {
    stream.write_all(bytes).await?;
    stream.flush().await
}

/// Writes a mail in portions, because a large one would be in memory twice.
async fn write_mail<S: AsyncWrite + Unpin>(stream: &mut S, mail: &[u8]) -> io::Result<()> {
    let mut rest = mail;
    while let Some((portion, next)) =
        rest.split_at_checked(portion_end(rest)).filter(|(portion, _)| !portion.is_empty())
    {
        write(stream, &stuffed(portion)).await?;
        rest = next;
    }
    Ok(())
}

/// Returns the number of bytes of the next portion.
fn portion_end(rest: &[u8]) -> usize {
    let later = rest.get(PORTION..).unwrap_or_default();
    let line_end = later.windows(2).position(|pair| pair == b"\r\n");
    line_end.map_or(rest.len(), |place| PORTION + place + 2)
}

/// The lines of an answer.
struct Lines {
    code: u16,
    texts: Vec<String>,
}

/// Reads one answer: one line or more with the same code.
async fn read_lines<S: AsyncRead + Unpin>(stream: &mut BufReader<S>) -> io::Result<Lines> {
    let invalid = || io::Error::new(io::ErrorKind::InvalidData, "the answer is not valid SMTP");
    let mut texts = Vec::new();
    while texts.len() < MAX_LINES {
        let mut line = Vec::new();
        (&mut *stream).take(MAX_LINE).read_until(b'\n', &mut line).await?;
        if line.last() != Some(&b'\n') {
            return Err(if line.is_empty() { io::ErrorKind::UnexpectedEof.into() } else { invalid() });
        }
        let line = String::from_utf8_lossy(line.trim_ascii_end()).into_owned();
        let code = line.get(..3).and_then(|code| code.parse::<u16>().ok());
        let code = code.filter(|code| (200..600_u16).contains(code)).ok_or_else(invalid)?;
        let (separator, text) = line.get(3..).unwrap_or_default().split_at_checked(1).unwrap_or((" ", ""));
        texts.push(text.to_owned());
        match separator {
            "-" => {}
            " " => return Ok(Lines { code, texts }),
            _ => return Err(invalid()),
        }
    }
    Err(invalid())
}

fn accepted(step: Step, lines: &Lines) -> Result<Reply, Failure> {
    let text: String = lines.texts.join(" ").chars().filter(|c| !c.is_control()).take(MAX_SHOWN).collect();
    let reply = Reply { code: lines.code, text };
    if reply.is_positive() { Ok(reply) } else { Err(Failure::Refused(step, reply)) }
}

/// Doubles the dot at the start of lines (RFC 5321, section 4.5.2), and ends the last line.
fn stuffed(bytes: &[u8]) -> Vec<u8> {
    let mut stuffed = Vec::with_capacity(bytes.len() + 16);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        if line.first() == Some(&b'.') {
            stuffed.push(b'.');
        }
        stuffed.extend_from_slice(line);
    }
    if !stuffed.ends_with(b"\r\n") {
        stuffed.extend_from_slice(b"\r\n");
    }
    stuffed
}

#[cfg(test)]
#[path = "smtp_tests.rs"]
mod tests;
