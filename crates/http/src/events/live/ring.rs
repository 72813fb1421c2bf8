//! The bounded buffer of a workspace's latest frames, for all of its streams.

use std::collections::VecDeque;

use super::frame::Frame;

const MOST_FRAMES: usize = 1_000;
/// The maximum number of bytes, except for a single frame.
const MOST_BYTES: usize = 4 << 20;

/// The latest frames, numbered.
#[derive(Debug, Default)]
pub(super) struct Ring {
    frames: VecDeque<Frame>,
    first: u64,
    bytes: usize,
}

impl Ring {
    pub(super) fn next(&self) -> u64 {
        self.first + self.frames.len() as u64
    }

    /// Adds a frame, and removes the oldest ones beyond the limits.
    pub(super) fn push(&mut self, frame: Frame) {
        self.bytes += frame.bytes.len();
        self.frames.push_back(frame);
        while self.frames.len() > 1 && (self.frames.len() > MOST_FRAMES || self.bytes > MOST_BYTES) {
            if let Some(oldest) = self.frames.pop_front() {
                self.bytes -= oldest.bytes.len();
                self.first += 1;
            }
        }
    }

    /// Returns the frames from this number on; `None` if the first of them was removed.
    pub(super) fn since(&self, number: u64) -> Option<impl Iterator<Item = &Frame>> {
        let skipped = usize::try_from(number.checked_sub(self.first)?).ok()?;
        Some(self.frames.iter().skip(skipped))
    }
}

#[cfg(test)]
mod tests {
    use tidings_domain::hints::Audience;

    use super::*;

    fn frame(bytes: usize) -> Frame {
        Frame { position: None, audience: Audience::Read, bytes: vec![b'x'; bytes].into(), for_readers: None }
    }

    fn left(ring: &Ring, number: u64) -> Option<usize> {
        ring.since(number).map(Iterator::count)
    }

    #[test]
    fn limits_frames_and_reports_dropped_ones() {
        let mut ring = Ring::default();
        assert_eq!((ring.next(), left(&ring, 0)), (0, Some(0)));
        (0..MOST_FRAMES).for_each(|_| ring.push(frame(1)));
        assert_eq!((left(&ring, 0), left(&ring, 990)), (Some(MOST_FRAMES), Some(10)));
        ring.push(frame(1));
        assert_eq!((left(&ring, 0), left(&ring, 1)), (None, Some(MOST_FRAMES)));
        assert_eq!(left(&ring, ring.next()), Some(0));
    }

    #[test]
    fn limits_bytes_and_always_keeps_the_last_frame() {
        let mut ring = Ring::default();
        (0..100).for_each(|_| ring.push(frame(MOST_BYTES / 8)));
        assert_eq!((ring.frames.len(), ring.next()), (8, 100));
        ring.push(frame(MOST_BYTES * 2));
        assert_eq!((ring.frames.len(), ring.bytes), (1, MOST_BYTES * 2));
    }
}
