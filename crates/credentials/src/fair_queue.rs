//! A bounded queue that is fair between networks, and between the accounts of a network.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use tidings_domain::ports::Waiting;

/// Waiting jobs, by network and account. Networks are served in turn, and so are the accounts of each network; the jobs
/// of one account are served first in, first out.
///
/// If the queue is full, the network with the most jobs loses one: the last job of its longest account.
pub(crate) struct FairQueue<T> {
    most: usize,
    lines: Mutex<Lines<T>>,
    more: Condvar,
}

struct Lines<T> {
    networks: VecDeque<Line<VecDeque<Line<VecDeque<T>>>>>,
    is_closed: bool,
}

/// The queue of one network or account.
struct Line<L> {
    name: String,
    waiting: L,
}

type Accounts<T> = VecDeque<Line<VecDeque<T>>>;

fn length<T>(accounts: &Accounts<T>) -> usize {
    accounts.iter().map(|account| account.waiting.len()).sum()
}

/// Returns the queue with this name; adds an empty one at the end if it is missing.
fn line<'a, L: Default>(lines: &'a mut VecDeque<Line<L>>, name: &str) -> Option<&'a mut L> {
    if !lines.iter().any(|line| line.name == name) {
        lines.push_back(Line { name: name.to_owned(), waiting: L::default() });
    }
    lines.iter_mut().find(|line| line.name == name).map(|line| &mut line.waiting)
}

impl<T> Lines<T> {
    fn length(&self) -> usize {
        self.networks.iter().map(|network| length(&network.waiting)).sum()
    }

    fn next(&mut self) -> Option<T> {
        let mut network = self.networks.pop_front()?;
        let mut account = network.waiting.pop_front()?;
        let job = account.waiting.pop_front();
        if !account.waiting.is_empty() {
            network.waiting.push_back(account);
        }
        if !network.waiting.is_empty() {
            self.networks.push_back(network);
        }
        job
    }

    /// Drops the last job of the longest account of the longest network.
    fn give_up_one(&mut self) {
        let Some(longest) =
            (0..self.networks.len()).max_by_key(|at| self.networks.get(*at).map(|it| length(&it.waiting)))
        else {
            return;
        };
        let Some(network) = self.networks.get_mut(longest) else { return };
        if let Some(account) = network.waiting.iter_mut().max_by_key(|account| account.waiting.len()) {
            account.waiting.pop_back();
        }
        network.waiting.retain(|account| !account.waiting.is_empty());
        self.networks.retain(|network| !network.waiting.is_empty());
    }
}

impl<T> FairQueue<T> {
    /// Creates a queue of at most `most` jobs.
    pub(crate) fn new(most: usize) -> Self {
        let lines = Mutex::new(Lines { networks: VecDeque::new(), is_closed: false });
        Self { most, lines, more: Condvar::new() }
    }

    fn lines(&self) -> MutexGuard<'_, Lines<T>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a job. If the queue is full, one job is dropped, possibly this one.
    pub(crate) fn put(&self, who: &Waiting, job: T) {
        let mut lines = self.lines();
        let account = line(&mut lines.networks, &who.network).and_then(|network| line(network, &who.account));
        if let Some(account) = account {
            account.push_back(job);
        }
        if lines.length() > self.most {
            lines.give_up_one();
        }
        drop(lines);
        self.more.notify_one();
    }

    /// Waits for the next job and returns it; `None` once the queue is closed.
    pub(crate) fn take(&self) -> Option<T> {
        let mut lines = self.lines();
        loop {
            if lines.is_closed {
                return None;
            }
            if let Some(job) = lines.next() {
                return Some(job);
            }
            lines = self.more.wait(lines).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Drops all waiting jobs and makes every [`take`](Self::take) return `None`.
    pub(crate) fn close(&self) {
        let mut lines = self.lines();
        lines.is_closed = true;
        lines.networks.clear();
        drop(lines);
        self.more.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(most: usize, jobs: &[(&str, &str, u32)]) -> FairQueue<u32> {
        let queue = FairQueue::new(most);
        for (network, account, job) in jobs {
            queue.put(&Waiting { network: (*network).to_owned(), account: (*account).to_owned() }, *job);
        }
        queue
    }

    fn all(queue: &FairQueue<u32>) -> Vec<u32> {
        std::iter::from_fn(|| queue.lines().next()).collect()
    }

    #[test]
    fn networks_and_their_accounts_take_turns() {
        let jobs =
            [("a", "x", 1), ("a", "x", 2), ("a", "y", 3), ("a", "x", 4), ("b", "x", 5), ("c", "z", 6), ("b", "x", 7)];
        assert_eq!(all(&queue(64, &jobs)), [1, 5, 6, 3, 7, 2, 4]);
    }

    #[test]
    fn a_full_queue_drops_the_last_job_of_the_largest_account() {
        let jobs = [("a", "x", 1), ("a", "x", 2), ("a", "y", 3), ("b", "x", 4), ("c", "x", 5), ("a", "x", 6)];
        assert_eq!(all(&queue(3, &jobs[..5])), [1, 4, 5], "an account with one request is admitted");
        assert_eq!(all(&queue(5, &jobs)), [1, 4, 5, 3, 2], "the account with the most requests loses its new request");
    }

    #[test]
    fn a_closed_queue_returns_nothing() {
        let queue = queue(4, &[("a", "x", 1)]);
        assert_eq!(queue.take(), Some(1));
        queue.put(&Waiting::default(), 2);
        queue.close();
        assert_eq!(queue.take(), None);
    }
}
