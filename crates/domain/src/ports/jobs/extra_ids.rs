//! Further subjects of a job.

use std::fmt;

use uuid::Uuid;

/// IDs of a job's further subjects, in order, at most [`ExtraIds::MOST`].
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct ExtraIds {
    ids: [Uuid; Self::MOST],
    count: usize,
}

impl ExtraIds {
    /// The maximum number of IDs.
    pub const MOST: usize = 7;

    /// Creates a list; `None` if there are too many IDs.
    pub fn new(ids: &[Uuid]) -> Option<Self> {
        let mut it = Self { count: ids.len(), ..Self::default() };
        it.ids.get_mut(..ids.len())?.copy_from_slice(ids);
        Some(it)
    }

    /// Returns the IDs.
    pub fn ids(&self) -> &[Uuid] {
        self.ids.get(..self.count).unwrap_or_default()
    }

    /// Returns the stored form: sixteen bytes for each ID, `None` without IDs.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        (self.count > 0).then(|| self.ids().iter().flat_map(|id| *id.as_bytes()).collect())
    }

    /// Reads the stored form; `None` if it is invalid.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let ids: Result<Vec<Uuid>, _> = bytes.chunks(16).map(Uuid::from_slice).collect();
        Self::new(&ids.ok()?)
    }
}

impl fmt::Debug for ExtraIds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.ids()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_stores_and_rejects_other_bytes() {
        for count in 0..=ExtraIds::MOST {
            let ids: Vec<_> = (0..count as u128).map(Uuid::from_u128).collect();
            let further = ExtraIds::new(&ids).unwrap();
            assert_eq!(further.ids(), ids);
            assert_eq!(ExtraIds::read(&further.bytes().unwrap_or_default()), Some(further));
        }
        assert_eq!(ExtraIds::default().bytes(), None);
        assert_eq!(ExtraIds::new(&[Uuid::nil(); ExtraIds::MOST + 1]), None);
        assert_eq!(ExtraIds::read(&[0; 16 * (ExtraIds::MOST + 1)]), None);
        assert_eq!(ExtraIds::read(&[0; 17]), None);
    }
}
