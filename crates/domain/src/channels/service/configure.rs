//! Checks and updates of the configuration of a channel.

use super::{ChannelPatch, ChannelService, secret_context};
use crate::channels::channel_type::{ChannelType, ConfigField, Shape};
use crate::channels::config::{changed_member, check_changes, merge};
use crate::channels::model::{Channel, Config, Endpoint, PlainSecrets};
use crate::channels::secrets::{read_secrets, secret_hints};
use crate::channels::stored_secrets::StoredSecrets;
use crate::error::{Error, Violation};
use crate::ports::StoreError;

impl ChannelService {
    /// Checks the URLs that the server calls.
    ///
    /// # Errors
    /// [`Error::Invalid`] with `forbidden_address`.
    pub(super) fn check(&self, channel_type: Option<&'static ChannelType>, config: &Config) -> Result<(), Error> {
        for field in channel_type.into_iter().flat_map(|it| it.config) {
            let is_url = matches!(field.shape, Shape::Url { .. });
            if let Some(url) = config.get(field.name).and_then(|it| it.as_str()).filter(|_| is_url) {
                let pointer = format!("/config/{}", field.name);
                self.ports.addresses.check(url).map_err(|why| Error::invalid(pointer, "forbidden_address", why))?;
            }
        }
        Ok(())
    }

    /// Merges an update into the configuration and the secrets. `null` removes a member of the configuration.
    ///
    /// # Errors
    /// [`Error::Invalid`] for members that the type does not declare, for fixed or invalid members, and for the removal
    /// of a required one;
    /// [`Error::Store`] if the stored secrets cannot be read.
    pub(super) fn reconfigure(&self, channel: &mut Channel, patch: &ChannelPatch) -> Result<(), Error> {
        if patch.config.is_empty() && patch.secrets.is_empty() {
            return Ok(());
        }
        let channel_type = self.ports.connectors.channel_type(channel.kind);
        self.accept(channel_type, channel.endpoint.as_ref(), patch)?;
        self.check(channel_type, &patch.config)?;
        let (id, kind) = (channel.id, channel.kind);
        let Some(endpoint) = &mut channel.endpoint else { return Ok(()) };
        merge(&mut endpoint.config, &patch.config);
        self.check_rules(kind, &endpoint.config, &patch.secrets)?;
        if !patch.secrets.is_empty() {
            let mut secrets = StoredSecrets::read(&self.open_text(&endpoint.secrets, &secret_context(id))?);
            let declared = channel_type.map_or(&[][..], |it| it.secrets);
            secrets.replace(declared, &patch.secrets, (self.ports.clock.now(), patch.secret_overlap));
            endpoint.secret_hints = secret_hints(&secrets.current);
            endpoint.secrets = self.ports.sealer.seal(secrets.write().as_bytes(), &secret_context(id));
        }
        Ok(())
    }

    fn accept(
        &self,
        channel_type: Option<&'static ChannelType>,
        endpoint: Option<&Endpoint>,
        patch: &ChannelPatch,
    ) -> Result<(), Error> {
        let fields = channel_type.map_or(&[][..], |it| it.config);
        for name in patch.config.keys() {
            let pointer = format!("/config/{name}");
            if endpoint.is_none() || fields.iter().all(|field| field.name != name.as_str()) {
                let declaring = self.ports.connectors.declaring(name);
                let why = format!("`config.{name}` is only allowed for {declaring} channels");
                return Err(Error::invalid(pointer, "not_allowed", why));
            }
        }
        let stored = endpoint.map(|it| &it.config);
        if let Some(changed) = changed_member(fields, stored, &patch.config, &|field| field.fixed) {
            let why = "cannot be changed; create another channel";
            return Err(Error::invalid(format!("/config{changed}"), "immutable", why));
        }
        let declared = channel_type.map_or(&[][..], |it| it.secrets);
        let is_unknown =
            |name: &&String| endpoint.is_none() || declared.iter().all(|field| field.name != name.as_str());
        if let Some(name) = patch.secrets.keys().find(is_unknown) {
            let why = "is not a secret of channels of this type";
            return Err(Error::invalid(format!("/secrets/{name}"), "unknown_field", why));
        }
        // Otherwise a key that cannot read a secret could have it sent to an address of its choice.
        let is_moved = changed_member(fields, stored, &patch.config, &|field| field.shape.is_address()).is_some();
        let is_stored = |name: &str| endpoint.is_some_and(|it| it.secret_hints.contains_key(name));
        // Generated secrets are for requests to this server.
        let is_sent = |it: &ConfigField| is_stored(it.name) && !matches!(it.shape, Shape::GeneratedText { .. });
        let mut sent = declared.iter().filter(|it| is_sent(it));
        if let Some(secret) = sent.find(|it| is_moved && !patch.secrets.contains_key(it.name)) {
            let why = "must be sent again with a new address, so that it is not sent to an unknown server";
            return Err(Error::invalid(format!("/secrets/{}", secret.name), "required", why));
        }
        let under = |it: Violation| it.under("/config");
        check_changes(fields, &patch.config).map_err(|wrong| Error::Invalid(wrong.into_iter().map(under).collect()))
    }

    /// Opens sealed secrets.
    ///
    /// # Errors
    /// [`Error::Store`] if they cannot be decrypted.
    pub(super) fn open(&self, sealed: &[u8], context: &str) -> Result<PlainSecrets, Error> {
        Ok(read_secrets(&self.open_text(sealed, context)?))
    }

    pub(super) fn open_text(&self, sealed: &[u8], context: &str) -> Result<String, Error> {
        let text = self.ports.sealer.open(sealed, context).ok().and_then(|text| String::from_utf8(text).ok());
        Ok(text.ok_or_else(|| StoreError::Corrupt(format!("{context} cannot be decrypted")))?)
    }
}
