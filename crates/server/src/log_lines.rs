//! Buffered output of the log.
//!
//! A request writes a line. One system call per line, by one thread at a time, was a tenth of the cost of a small
//! request. A line of level `warn` or `error` and all lines before it are written before the log call returns; other
//! lines are written within [`WITHIN`]. The order is kept.

use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tracing::{Level, Metadata};
use tracing_subscriber::fmt::MakeWriter;

/// The maximum delay of a line.
const WITHIN: Duration = Duration::from_millis(10);
/// If this many bytes are buffered, the next log call writes them. So a blocked output blocks logging, and memory stays
/// bounded.
const MOST: usize = 64 * 1024;

/// The buffered lines of a log. Clones share the buffer.
pub(crate) struct Lines<W>(Arc<Inner<W>>);

struct Inner<W> {
    waiting: Mutex<Vec<u8>>,
    came: Condvar,
    /// Locked from taking the lines until they are written, which keeps the order.
    out: Mutex<W>,
}

impl<W> Clone for Lines<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// Locks a mutex. A panic cannot leave the data inconsistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<W: Write + Send + 'static> Lines<W> {
    /// Writes to `out` from a separate thread.
    ///
    /// # Errors
    /// If the thread cannot be created.
    pub(crate) fn to(out: W) -> io::Result<Self> {
        let lines = Self(Arc::new(Inner { waiting: Mutex::default(), came: Condvar::new(), out: Mutex::new(out) }));
        let own = lines.clone();
        thread::Builder::new().name("log".to_owned()).spawn(move || own.keep_writing())?;
        Ok(lines)
    }

    fn keep_writing(&self) {
        loop {
            let waiting = lock(&self.0.waiting);
            drop(self.0.came.wait_while(waiting, |waiting| waiting.is_empty()));
            thread::sleep(WITHIN);
            self.flush();
        }
    }

    pub(crate) fn flush(&self) {
        let mut out = lock(&self.0.out);
        let lines = std::mem::take(&mut *lock(&self.0.waiting));
        // There is no other place to report an error.
        let _ = out.write_all(&lines).and_then(|()| out.flush());
    }

    fn add(&self, line: &[u8], urgent: bool) {
        let mut waiting = lock(&self.0.waiting);
        let is_first = waiting.is_empty();
        waiting.extend_from_slice(line);
        let is_full = waiting.len() >= MOST;
        drop(waiting);
        if urgent || is_full {
            self.flush();
        } else if is_first {
            self.0.came.notify_one();
        }
    }
}

/// The writer of one event.
pub(crate) struct Line<'a, W> {
    lines: &'a Lines<W>,
    urgent: bool,
}

impl<W: Write + Send + 'static> Write for Line<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lines.add(bytes, self.urgent);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a, W: Write + Send + 'static> MakeWriter<'a> for Lines<W> {
    type Writer = Line<'a, W>;

    fn make_writer(&'a self) -> Self::Writer {
        Line { lines: self, urgent: false }
    }

    fn make_writer_for(&'a self, meta: &Metadata<'_>) -> Self::Writer {
        Line { lines: self, urgent: *meta.level() <= Level::WARN }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    /// Reports each write.
    struct WriteNotifier(Sender<String>);

    impl Write for WriteNotifier {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.send(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn lines() -> (Lines<WriteNotifier>, Receiver<String>) {
        let (told, written) = channel();
        (Lines::to(WriteNotifier(told)).unwrap(), written)
    }

    #[test]
    fn writes_every_line_once_in_order_and_in_batches() {
        let (lines, written) = lines();
        let mut expected = String::new();
        for number in 0..1_000 {
            let line = format!("line {number}\n");
            lines.add(line.as_bytes(), false);
            expected.push_str(&line);
        }
        let (mut found, mut writes) = (String::new(), 0);
        while found.len() < expected.len() {
            found.push_str(&written.recv_timeout(Duration::from_secs(10)).unwrap());
            writes += 1;
        }
        assert_eq!(found, expected);
        assert!(writes < 500, "{writes} writes");
    }

    #[test]
    fn writes_an_urgent_line_at_once_after_earlier_ones() {
        let (lines, written) = lines();
        lines.add(b"one\n", false);
        lines.add(b"two\n", true);
        let found: String = written.try_iter().collect();
        assert_eq!(found, "one\ntwo\n");
    }

    #[test]
    fn limits_the_bytes_that_wait() {
        let (lines, written) = lines();
        for _ in 0..=MOST {
            lines.add(b"x\n", false);
            assert!(lock(&lines.0.waiting).len() <= MOST);
        }
        lines.flush();
        assert_eq!(written.try_iter().map(|it| it.len()).sum::<usize>(), 2 * (MOST + 1));
    }
}
