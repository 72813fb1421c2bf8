//! The parts of simulated messages on their channels.

use crate::channels::{Channel, Connectors, Degradation, degraded_features};
use crate::conversations::Message;

/// Begin of the links to files, which no provider opens.
pub(super) const PUBLIC_URL: &str = "https://simulation.invalid";

/// The channels of the workspace, with the connectors that plan their messages. Nothing is sent.
#[derive(Debug, Default)]
pub(super) struct ChannelPlans {
    channels: Vec<Channel>,
    connectors: Connectors,
}

impl ChannelPlans {
    pub(super) fn new(channels: Vec<Channel>, connectors: Connectors) -> Self {
        Self { channels, connectors }
    }

    /// Returns the features of a message that its channel would replace.
    pub(super) fn degraded(&self, message: &Message) -> Vec<Degradation> {
        let channel = self.channels.iter().find(|channel| channel.id == message.channel);
        let Some(channel) = channel else { return Vec::new() };
        let Some(connector) = self.connectors.of(channel.kind) else { return Vec::new() };
        let mut content = message.content.clone();
        // The provider would get a link to a file of the server.
        for file in content.attachments.iter_mut().filter(|file| file.media().is_some()) {
            file.url = format!("{PUBLIC_URL}/file");
        }
        let planned = connector.plan(channel, &content);
        degraded_features(&content, &planned).into_iter().map(Degradation::from).collect()
    }
}
