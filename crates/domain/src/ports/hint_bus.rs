//! The transport of hints between the processes of a service.

use async_trait::async_trait;

use super::errors::StoreError;

/// Sends messages to all processes of a service, best effort. No message is stored for a disconnected process.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait HintBus: Send + Sync {
    /// Connects. The connection receives all messages from now on.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn connect(&self) -> Result<Box<dyn HintBusConnection>, StoreError>;
}

/// A connection to a [`HintBus`], closed when dropped. After an error it is unusable.
#[cfg_attr(any(test, feature = "mocks"), mockall::automock)]
#[async_trait]
pub trait HintBusConnection: Send {
    /// Sends messages to all connections, this one included. Each is shorter than 8 000 bytes. Without messages, it
    /// reports whether the connection is still the right one, as far as that is known without a request.
    ///
    /// # Errors
    /// [`StoreError`]: the messages may or may not have been sent.
    async fn send(&mut self, messages: Vec<String>) -> Result<(), StoreError>;

    /// Waits for the next message. Dropping the future loses no message.
    ///
    /// # Errors
    /// [`StoreError`]: messages may be lost from now on.
    async fn next(&mut self) -> Result<String, StoreError>;
}
