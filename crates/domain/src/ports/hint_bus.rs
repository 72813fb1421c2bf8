//! What carries hints between the processes of a service.

use async_trait::async_trait;

use super::errors::StoreError;

/// Carries messages to all processes of a service, as soon as it can and as well as it can: nothing is kept for whoever is away.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait HintBus: Send + Sync {
    /// Makes a connection. It hears everything that is sent from now on.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn connect(&self) -> Result<Box<dyn HintBusConnection>, StoreError>;
}

/// A connection to a [`HintBus`], which ends when it is dropped. After an error it carries nothing any more.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait HintBusConnection: Send {
    /// Sends messages to all who hear, itself among them. Each is less than 8 000 bytes long. Without any it tells whether the
    /// connection is still the right one, as far as that is known without asking.
    ///
    /// # Errors
    /// [`StoreError`]: whether they were sent is not known.
    async fn send(&mut self, messages: Vec<String>) -> Result<(), StoreError>;

    /// The next message that comes, however long that takes. Whoever stops waiting for it loses none.
    ///
    /// # Errors
    /// [`StoreError`]: messages may have been lost from now on.
    async fn next(&mut self) -> Result<String, StoreError>;
}
