//! The state of a connection, and its deadlines.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use actix_web::HttpRequest;
use tokio::sync::watch;

/// The time limits of connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionTimeouts {
    /// Between a response and the next request.
    pub keep_alive: Duration,
    /// From the first byte of a head to its last; on a new connection, from the start of the connection.
    pub head: Duration,
    /// For a body.
    pub body: Duration,
    /// From a head to its response, including the body. After it, the response is 503.
    pub handling: Duration,
    /// From a response to the end of an unread body.
    pub unread: Duration,
    /// For a response, if the client reads nothing of it.
    pub write: Duration,
    /// For a response, if the client reads it slowly.
    pub answer: Duration,
}

impl Default for ConnectionTimeouts {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            keep_alive: seconds(5),
            head: seconds(5),
            body: seconds(30),
            handling: seconds(60),
            unread: seconds(5),
            write: seconds(30),
            answer: seconds(300),
        }
    }
}

/// The maximum number of bytes that are accepted after the response. Enough for the client to notice the response.
const MOST_UNREAD: usize = 16 * 1024 * 1024;

/// The reason why a connection was closed by the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeoutReason {
    /// The rest of a head did not arrive.
    Head,
    /// The client keeps sending a body that the server does not read.
    UnreadBody,
    UnreadAnswer,
}

impl TimeoutReason {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::UnreadBody => "unread_body",
            Self::UnreadAnswer => "unread_answer",
        }
    }
}

/// The expected action of the client.
#[derive(Debug, Clone, Copy)]
enum AwaitedAction {
    /// Nothing: the next request is optional.
    Nothing,
    /// The rest of a head.
    Head { until: Instant },
    /// Nothing until the response, except perhaps a body.
    Response,
    /// The end of a body that the server does not read.
    End { until: Instant, left: usize },
}

/// A response that is not written completely.
#[derive(Debug, Clone, Copy)]
struct Backlog {
    since: Instant,
    progress: Instant,
}

#[derive(Debug, Clone, Copy, Default)]
struct PendingRequest {
    has_body: bool,
    body_was_read: bool,
    streams: bool,
}

/// The state of a connection, shared by the stream, the server around the routes, and the routes.
#[derive(Debug)]
pub(crate) struct ConnectionState {
    timeouts: ConnectionTimeouts,
    awaited: Cell<AwaitedAction>,
    backlog: Cell<Option<Backlog>>,
    request: Cell<PendingRequest>,
    is_closed: Cell<bool>,
    gone: OnceCell<watch::Sender<bool>>,
}

impl ConnectionState {
    pub(super) fn new(timeouts: ConnectionTimeouts) -> Rc<Self> {
        Rc::new(Self {
            timeouts,
            awaited: Cell::new(AwaitedAction::Nothing),
            backlog: Cell::new(None),
            request: Cell::new(PendingRequest::default()),
            is_closed: Cell::new(false),
            gone: OnceCell::new(),
        })
    }

    /// Returns a receiver that becomes true when the client closes its side. The server library keeps responding after
    /// that, so a streamed response that is idle would not notice.
    pub(crate) fn client_closed(&self) -> watch::Receiver<bool> {
        self.gone.get_or_init(|| watch::Sender::new(self.is_closed.get())).subscribe()
    }

    pub(super) fn closed(&self) {
        self.is_closed.set(true);
        if let Some(gone) = self.gone.get() {
            gone.send_replace(true);
        }
    }

    /// Returns the state of a request's connection; `None` in tests without a network.
    pub(crate) fn of(request: &HttpRequest) -> Option<&Self> {
        request.conn_data::<Rc<Self>>().map(Rc::as_ref)
    }

    /// Notes the start of a request.
    pub(super) fn begin(&self, has_body: bool) {
        self.request.set(PendingRequest { has_body, ..PendingRequest::default() });
        self.awaited.set(AwaitedAction::Response);
    }

    pub(crate) fn body_was_read(&self) {
        self.request.set(PendingRequest { body_was_read: true, ..self.request.get() });
    }

    /// Whether the request has a body that was not read to its end.
    pub(crate) fn has_unread_body(&self) -> bool {
        let PendingRequest { has_body, body_was_read, .. } = self.request.get();
        has_body && !body_was_read
    }

    /// Lifts the total time limit of the response, as long as the client keeps reading.
    pub(crate) fn stream(&self) {
        self.request.set(PendingRequest { streams: true, ..self.request.get() });
    }

    /// Notes that the response is known. Returns whether it is the last one of the connection, because a body is
    /// unread.
    pub(super) fn answered(&self, now: Instant) -> bool {
        let is_unread = self.has_unread_body();
        self.awaited.set(match is_unread {
            true => AwaitedAction::End { until: now + self.timeouts.unread, left: MOST_UNREAD },
            false => AwaitedAction::Nothing,
        });
        is_unread
    }

    pub(super) fn note_received(&self, bytes: usize, now: Instant) {
        match self.awaited.get() {
            AwaitedAction::Nothing if bytes > 0 => {
                self.awaited.set(AwaitedAction::Head { until: now + self.timeouts.head })
            }
            AwaitedAction::End { until, left } => {
                self.awaited.set(AwaitedAction::End { until, left: left.saturating_sub(bytes) });
            }
            AwaitedAction::Nothing | AwaitedAction::Head { .. } | AwaitedAction::Response => {}
        }
    }

    /// Notes that the socket accepts no more bytes for now.
    pub(super) fn is_blocked(&self, now: Instant) {
        if self.backlog.get().is_none() {
            self.backlog.set(Some(Backlog { since: now, progress: now }));
        }
    }

    /// Notes that the socket accepted some bytes.
    pub(super) fn note_sent(&self, now: Instant) {
        self.backlog.set(self.backlog.get().map(|backlog| Backlog { progress: now, ..backlog }));
    }

    /// Notes that the socket accepted all pending bytes.
    pub(super) fn note_all_sent(&self) {
        self.backlog.set(None);
    }

    /// Whether a deadline must be checked now.
    pub(super) fn is_bounded(&self) -> bool {
        self.backlog.get().is_some()
            || matches!(self.awaited.get(), AwaitedAction::Head { .. } | AwaitedAction::End { .. })
    }

    /// Returns the next deadline, and its violation.
    pub(super) fn deadline(&self) -> Option<(Instant, TimeoutReason)> {
        let reading = match self.awaited.get() {
            AwaitedAction::Nothing | AwaitedAction::Response => None,
            AwaitedAction::Head { until } => Some((until, TimeoutReason::Head)),
            AwaitedAction::End { until, .. } => Some((until, TimeoutReason::UnreadBody)),
        };
        let writing = self.backlog.get().map(|backlog| {
            let still = backlog.progress + self.timeouts.write;
            let whole = backlog.since + self.timeouts.answer;
            (if self.request.get().streams { still } else { still.min(whole) }, TimeoutReason::UnreadAnswer)
        });
        [reading, writing].into_iter().flatten().min_by_key(|(until, _)| *until)
    }

    /// Returns the limit that the client exceeds now.
    pub(super) fn overdue(&self, now: Instant) -> Option<TimeoutReason> {
        if let AwaitedAction::End { left: 0, .. } = self.awaited.get() {
            return Some(TimeoutReason::UnreadBody);
        }
        self.deadline().filter(|(until, _)| *until <= now).map(|(_, what)| what)
    }
}

/// Waits until the client closes its side; forever without a receiver.
pub(crate) async fn client_gone(gone: Option<&mut watch::Receiver<bool>>) {
    match gone {
        // The connection can end before it reports this.
        Some(gone) => drop(gone.wait_for(|it| *it).await),
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn connection() -> (Rc<ConnectionState>, Instant) {
        (ConnectionState::new(ConnectionTimeouts::default()), Instant::now())
    }

    #[test]
    fn sets_no_deadline_while_idle_or_while_a_handler_runs() {
        let (connection, now) = connection();
        assert!(!connection.is_bounded());
        connection.note_received(10, now);
        connection.begin(true);
        assert!(!connection.is_bounded(), "handlers have a separate time limit");
        connection.body_was_read();
        assert!(!connection.answered(now) && !connection.is_bounded());
    }

    #[test]
    fn limits_each_head_from_its_first_byte() {
        let (connection, now) = connection();
        connection.note_received(1, now);
        connection.note_received(1, now + 4 * SECOND);
        assert_eq!(connection.overdue(now + 4 * SECOND), None);
        assert_eq!(connection.overdue(now + 5 * SECOND), Some(TimeoutReason::Head));
        connection.begin(false);
        connection.answered(now + 6 * SECOND);
        connection.note_received(1, now + 7 * SECOND);
        assert_eq!(connection.overdue(now + 11 * SECOND), None);
        assert_eq!(
            connection.overdue(now + 12 * SECOND),
            Some(TimeoutReason::Head),
            "a second head has the same limit"
        );
    }

    #[test]
    fn limits_an_unread_body_from_the_answer() {
        let (connection, now) = connection();
        connection.begin(true);
        assert!(connection.answered(now), "this is the last answer of the connection");
        for second in 0..5 {
            connection.note_received(1, now + second * SECOND);
            assert_eq!(connection.overdue(now + second * SECOND), None);
        }
        assert_eq!(connection.overdue(now + 5 * SECOND), Some(TimeoutReason::UnreadBody));
    }

    #[test]
    fn limits_the_bytes_of_an_unread_body() {
        let (connection, now) = connection();
        connection.begin(true);
        connection.answered(now);
        connection.note_received(MOST_UNREAD - 1, now);
        assert_eq!(connection.overdue(now), None);
        connection.note_received(1, now);
        assert_eq!(connection.overdue(now), Some(TimeoutReason::UnreadBody));
    }

    #[test]
    fn limits_pauses_and_total_time_of_an_answer() {
        let (connection, now) = connection();
        connection.begin(false);
        connection.is_blocked(now);
        assert_eq!(connection.overdue(now + 29 * SECOND), None);
        assert_eq!(connection.overdue(now + 30 * SECOND), Some(TimeoutReason::UnreadAnswer));
        for step in 1..11 {
            connection.note_sent(now + step * 29 * SECOND);
        }
        assert_eq!(connection.overdue(now + 299 * SECOND), None);
        assert_eq!(
            connection.overdue(now + 300 * SECOND),
            Some(TimeoutReason::UnreadAnswer),
            "slow reading is limited in total"
        );
        connection.note_all_sent();
        assert!(!connection.is_bounded());
    }

    #[test]
    fn reports_a_disconnected_client_to_every_watcher() {
        let (first, _) = connection();
        let gone = first.client_closed();
        assert!(!*gone.borrow());
        first.closed();
        assert!(*gone.borrow());
        let (second, _) = connection();
        second.closed();
        assert!(*second.client_closed().borrow(), "a later watcher gets the same result");
    }

    #[test]
    fn keeps_a_stream_open_while_it_is_read() {
        let (connection, now) = connection();
        connection.begin(false);
        connection.stream();
        connection.answered(now);
        connection.is_blocked(now);
        for step in 1..1_000 {
            connection.note_sent(now + step * 29 * SECOND);
        }
        let taken = now + 999 * 29 * SECOND;
        assert_eq!(connection.overdue(taken + 29 * SECOND), None);
        assert_eq!(connection.overdue(taken + 30 * SECOND), Some(TimeoutReason::UnreadAnswer));
        connection.begin(false);
        assert_eq!(connection.overdue(taken), Some(TimeoutReason::UnreadAnswer), "the next request is not a stream");
    }
}
