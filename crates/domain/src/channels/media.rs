//! Files of contacts' messages that the provider of a channel stores.

/// A file of a contact's message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedMedia {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// The media type that the provider states, without parameters.
    pub mime_type: Option<String>,
    /// The name that the provider states, without a path.
    pub name: Option<String>,
}

/// The reason why a file was not fetched. A sentence contains no secret of the channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FetchFailure {
    /// The provider does not have the file, or not any more. A retry does not help.
    Gone(String),
    /// The provider did not return the file now, and may return it later.
    Retry(String),
    /// The file is larger than the limit of the caller or of the provider.
    TooLarge,
}
