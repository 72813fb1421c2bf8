//! Builders for tests, also of embedding programs. Use them with the store of [`crate::memory`] and the mocks of all
//! ports (`Mock…`, in [`crate::ports`]).

mod builders;
mod mocked_ports;

pub use builders::{ContactBuilder, RunBuilder, a_channel, a_contact, a_run};

/// Returns the service with these ports, and access to a new workspace.
#[cfg(test)]
pub(crate) fn with_workspace(ports: crate::ports::Ports) -> (crate::Tidings, crate::access::Access) {
    let tidings = crate::Tidings::new(ports);
    let access = new_workspace(&tidings.ports);
    (tidings, access)
}

/// Creates a workspace and returns access to it.
#[cfg(test)]
pub(crate) fn new_workspace(ports: &std::sync::Arc<crate::ports::Ports>) -> crate::access::Access {
    let accesses = crate::access::AccessService { ports: ports.clone() };
    let workspace = crate::access::NewWorkspace { name: "Acme".to_owned(), plan: crate::access::Plan::Pro };
    let workspace = futures::executor::block_on(accesses.create_workspace(workspace)).unwrap();
    crate::access::Access::system(workspace.id)
}

/// Returns a message of a contact, from a verified address, with no more than its content.
#[cfg(test)]
pub(crate) fn an_inbound_message(
    id: impl Into<String>,
    address: impl Into<String>,
    content: crate::conversations::Content,
) -> crate::conversations::InboundMessage {
    crate::conversations::InboundMessage {
        id: id.into(),
        address: address.into(),
        name: None,
        is_verified: true,
        profile: crate::conversations::Profile::default(),
        content,
        referral: None,
        reply_to: None,
        sent_at: None,
        files: Vec::new(),
    }
}

/// Returns the number of generated inputs of a test: `PROPTEST_CASES` if it is set, otherwise `usual`.
#[cfg(test)]
pub(crate) fn cases(usual: usize) -> usize {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(usual)
}
