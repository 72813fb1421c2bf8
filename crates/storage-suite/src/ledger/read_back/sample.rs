//! Samples: a change, and a read of its effect.

use std::fmt::Debug;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use tidings_domain::ports::{Change, Row};

use super::variants::name;
use crate::fixtures::{World, uuid};

/// The result of a read: whether it is the effect, and both values as text.
type Found = (bool, String);

/// One change and a read of its effect. Everything that the change needs is stored.
pub(super) struct Sample {
    /// The workspace of the change.
    pub(super) world: World,
    pub(super) change: Change,
    /// Missing if no port can read the effect.
    read: Option<Box<dyn Fn(World) -> LocalBoxFuture<'static, Found>>>,
}

/// Makes a sample in a workspace. Two samples of one workspace have nothing in common.
pub(super) type Maker = Box<dyn Fn(World) -> LocalBoxFuture<'static, Sample>>;

/// Returns the maker of a sample from an async function of a world.
pub(super) fn maker<F: Future<Output = Sample> + 'static>(make: impl Fn(World) -> F + 'static) -> Maker {
    Box::new(move |world| make(world).boxed_local())
}

/// Returns the makers of samples that insert, update and delete a row, from an async function of a world and [`Does`].
pub(super) fn row_makers<F: Future<Output = Sample> + 'static>(
    make: impl Fn(World, Does) -> F + Copy + 'static,
) -> Vec<Maker> {
    Does::ALL.into_iter().map(|does| maker(move |world| make(world, does))).collect()
}

impl Sample {
    /// A change with a visible effect: `read` returns `after` after the commit and something else before it.
    pub(super) fn new<T: Debug + PartialEq + 'static>(
        world: &World,
        change: Change,
        after: T,
        read: impl AsyncFn(&World) -> T + 'static,
    ) -> Self {
        let shared = Rc::new((read, after));
        let read = move |world: World| {
            let shared = Rc::clone(&shared);
            async move {
                let (read, after) = &*shared;
                let found = read(&world).await;
                (found == *after, format!("found {found:?}, expected {after:?}"))
            }
            .boxed_local()
        };
        Self { world: world.clone(), change, read: Some(Box::new(read)) }
    }

    /// A change without an effect that a port can read.
    pub(super) fn invisible(world: &World, change: Change) -> Self {
        Self { world: world.clone(), change, read: None }
    }

    /// The name of the change's variant.
    pub(super) fn name(&self) -> &'static str {
        name(&self.change)
    }

    pub(super) fn is_visible(&self) -> bool {
        self.read.is_some()
    }

    /// Checks that the effect is visible, or that it is not.
    pub(super) async fn check(&self, is_visible: bool, form: &str) {
        if let Some(read) = &self.read {
            let (found, text) = read(self.world.clone()).await;
            let when = if is_visible { "after the commit" } else { "before the commit" };
            assert_eq!(found, is_visible, "{}, {form}, {when}: {text}", self.name());
        }
    }
}

/// The operations on a row.
#[derive(Debug, Clone, Copy)]
pub(super) enum Does {
    Insert,
    Update,
    Delete,
}

impl Does {
    pub(super) const ALL: [Self; 3] = [Self::Insert, Self::Update, Self::Delete];

    /// A sample of this operation. The row is stored first for an update or a delete; `change` makes its next version.
    pub(super) async fn row<T: Clone + Debug + PartialEq + 'static>(
        self,
        world: &World,
        row: impl Fn(T) -> Row,
        first: T,
        change: impl FnOnce(&mut T),
        read: impl AsyncFn(&World) -> Option<T> + 'static,
    ) -> Sample {
        let insert = Change::Insert(row(first.clone()));
        let object = row(first.clone()).object();
        match self {
            Self::Insert => Sample::new(world, insert, Some(first), read),
            Self::Update => {
                world.add(insert).await;
                let mut next = first;
                change(&mut next);
                Sample::new(world, Change::Update(row(next.clone())), Some(next), read)
            }
            Self::Delete => {
                world.add(insert).await;
                Sample::new(world, Change::Delete(object), None, read)
            }
        }
    }
}

/// A text that no other sample has: a name, a key or an address.
pub(super) fn unique() -> String {
    format!("u{}", uuid().simple())
}

/// A digest that no other sample has.
pub(super) fn unique_digest() -> [u8; 32] {
    let half = uuid().into_bytes();
    let mut digest = [0; 32];
    digest[..16].copy_from_slice(&half);
    digest
}
