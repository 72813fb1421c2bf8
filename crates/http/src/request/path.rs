//! The table of path parameters. Handlers read paths with its rows, and the OpenAPI document shows them.

use std::borrow::Cow;

use tidings_domain::contacts::{ContactRef, TagRef};
use tidings_domain::fields::FieldRef;
use tidings_domain::ids::{
    BotFieldId, BroadcastId, BulkOperationId, ChannelId, ContactId, ConversationId, DeliveryId, FieldId, FlowId,
    ImportId, InvitationId, JobId, KeyId, MediaId, MessageId, RunId, SavedReplyId, SegmentId, SequenceId, SessionId,
    TagId, UserId, WebhookId, WorkspaceId,
};
use tidings_domain::read::schema::{Annotate, Describe, Described, described, reads};
use tidings_domain::read::{Input, Read, Violation, id, integer, string};
use utoipa::openapi::path::{Parameter, ParameterIn};

use crate::openapi::parameter;

/// Whether the literal segments of a template occur in a path without percent-encoding. The router also accepts
/// `/%61pi` for `/api`, which a proxy that blocks a path by its text would miss. Parameters can be encoded in any way.
pub(crate) fn is_spelled_out(template: &str, path: &str) -> bool {
    let (mut literal, mut given) = (template.split('/'), path.split('/'));
    loop {
        match (literal.next(), given.next()) {
            (Some(literal), Some(given)) if literal.starts_with('{') || literal == given => {}
            (None, None) => return true,
            _ => return false,
        }
    }
}

/// A path parameter.
pub(crate) struct Name<T> {
    row: &'static Row,
    read: fn(&str) -> Option<T>,
}

/// The documentation of a path parameter.
pub(crate) struct Row {
    /// The parameter with its context in the templates of paths.
    places: &'static [&'static str],
    kind: &'static str,
    about: &'static [&'static str],
    describe: fn() -> Described,
}

/// Declares path parameters. A row contains the Rust type, the kind in words, the places in templates, and the reader,
/// which also describes the value. If two places match, the first one counts.
macro_rules! names {
    ($(
        $(#[doc = $about:literal])+
        $name:ident: $type:ty, $kind:literal, [$($place:literal),+] = $reader:expr;
    )+) => {
        $(
            $(#[doc = $about])+
            pub(crate) const $name: Name<$type> = Name {
                row: &Row {
                    places: &[$($place),+],
                    kind: $kind,
                    about: &[$($about),+],
                    describe: || reads::<$type, _>($reader).describe(),
                },
                read: |text| Read::<$type>::read(&$reader, Input::String(text)).ok(),
            };
        )+

        static ROWS: &[&Row] = &[$($name.row),+];
    };
}

names! {
    /// ID of the contact. A deleted contact has no other identifier.
    DELETED_CONTACT: ContactId, "contact", ["/contacts/{id}/restore"] = id();
    /// ID of the bulk operation.
    BULK_OPERATION: BulkOperationId, "bulk operation", ["/contacts/bulk/{id}"] = id();
    /// ID of the import.
    IMPORT: ImportId, "import", ["/contacts/imports/{id}"] = id();
    /// ID of the contact, or `external_id:…`, `email:…` or `phone:…`, percent-encoded.
    CONTACT: ContactRef, "contact", ["/contacts/{id}"] =
        reference(ContactRef::parse).example("contact_01h455vb4pex5vsknk084sn02q");
    /// ID of the tag, or `name:…`, percent-encoded.
    TAG_OF_CONTACT: TagRef, "tag", ["/tags/{tag_id}"] = reference(tag).example("tag_01h455vb4pex5vsknk084sn02q");
    /// ID of the tag.
    TAG: TagId, "tag", ["/tags/{id}"] = id();
    /// ID or key of the custom field.
    CUSTOM_FIELD: FieldRef<FieldId>, "custom field", ["/custom-fields/{id}", "/custom-fields/{field_id}"] =
        reference(FieldRef::parse).example("field_01h455vb4pex5vsknk084sn02q");
    /// ID or key of the bot field.
    BOT_FIELD: FieldRef<BotFieldId>, "bot field", ["/bot-fields/{id}"] =
        reference(FieldRef::parse).example("botfield_01h455vb4pex5vsknk084sn02q");
    /// ID of the job.
    JOB: JobId, "job", ["/jobs/{id}"] = id();
    /// Name of the secret.
    SECRET: String, "secret", ["/secrets/{name}"] = reference(any).example("SHOP_TOKEN");
    /// ID of the conversation.
    CONVERSATION: ConversationId, "conversation", ["/conversations/{id}"] = id();
    /// ID of the message.
    MESSAGE: MessageId, "message", ["/messages/{id}"] = id();
    /// ID of the channel.
    CHANNEL: ChannelId, "channel", ["/channels/{id}"] = id();
    /// Token in `inbound_path` of the channel.
    INBOUND_TOKEN: String, "channel", ["/inbound/{token}"] =
        reference(any).example("2Yxq0PqLkZ0m8mF9eUuB3VJr7sT1wXyZaAbBcCdDeEf");
    /// ID of the flow.
    FLOW: FlowId, "flow", ["/flows/{id}"] = id();
    /// Number of the version.
    FLOW_VERSION: i64, "version", ["/versions/{number}"] = version().example(1);
    /// ID of the run.
    FLOW_RUN: RunId, "run", ["/flow-runs/{id}"] = id();
    /// ID of the saved reply.
    SAVED_REPLY: SavedReplyId, "saved reply", ["/saved-replies/{id}"] = id();
    /// ID of the file.
    MEDIA: MediaId, "file", ["/media/{id}"] = id();
    /// Token of the link to the file.
    MEDIA_TOKEN: String, "file", ["/m/{token}"] = reference(any);
    /// ID of the segment.
    SEGMENT: SegmentId, "segment", ["/segments/{id}"] = id();
    /// ID of the broadcast.
    BROADCAST: BroadcastId, "broadcast", ["/broadcasts/{id}"] = id();
    /// ID of the sequence.
    SEQUENCE: SequenceId, "sequence", ["/sequences/{id}", "/sequences/{sequence_id}"] = id();
    /// ID of the webhook.
    WEBHOOK: WebhookId, "webhook", ["/webhooks/{id}"] = id();
    /// ID of the delivery.
    DELIVERY: DeliveryId, "delivery", ["/deliveries/{delivery_id}"] = id();
    /// ID of the workspace.
    WORKSPACE: WorkspaceId, "workspace", ["/workspaces/{ws}"] = id();
    /// ID of the user, `user_…`, or of the invitation, `inv_…`.
    MEMBER: MemberRef, "member", ["/members/{id}"] = reference(MemberRef::parse);
    /// ID of the API key.
    API_KEY: KeyId, "API key", ["/api-keys/{id}"] = id();
    /// ID of the session.
    SESSION: SessionId, "session", ["/sessions/{id}"] = id();
    /// Token of the invitation.
    INVITATION_TOKEN: String, "invitation", ["/invitations/{token}"] = reference(any);
    /// Token of the password reset link.
    RESET_TOKEN: String, "link", ["/reset-links/{token}"] = reference(any);
}

/// A member or an invitation in a path.
pub(crate) enum MemberRef {
    /// A member.
    Person(UserId),
    /// A pending invitation.
    Invitation(InvitationId),
}

impl MemberRef {
    fn parse(text: &str) -> Option<Self> {
        text.parse().map(Self::Person).or_else(|_| text.parse().map(Self::Invitation)).ok()
    }
}

/// Reads a reference that is not always an ID.
fn reference<T>(parse: fn(&str) -> Option<T>) -> impl Read<T> + Describe {
    string(move |text| parse(text).ok_or_else(|| Violation::at_root("invalid_id", "does not name an object")))
}

fn any(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn tag(text: &str) -> Option<TagRef> {
    match text.strip_prefix("name:") {
        Some(name) => Some(TagRef::Name(name.to_owned())),
        None => text.parse().ok().map(TagRef::Id),
    }
}

/// Reads a version: from 1, in canonical form.
fn version() -> impl Read<i64> + Describe {
    let number = |text: &str| text.parse::<i64>().ok().filter(|number| number.to_string() == text);
    described(reference(number), || integer(1..=i64::MAX).with(|it| it.maximum(None::<f64>)).describe())
}

impl<T> Name<T> {
    /// Reads the parameter from a path that matches the template. Returns `None` if the value is invalid or not
    /// percent-encoded UTF-8.
    pub(crate) fn read(&self, template: &str, path: &str) -> Option<T> {
        let text = path.split('/').nth(self.row.place_in(template)?)?;
        (self.read)(&percent_decode(text)?)
    }

    /// Returns the kind, if the template has several parameters.
    pub(crate) fn kind_among_several(&self, template: &'static str) -> Option<&'static str> {
        (parameters(template).count() > 1).then_some(self.row.kind)
    }
}

impl Row {
    /// Returns the index of the parameter's segment in the template.
    fn place_in(&self, template: &str) -> Option<usize> {
        self.places.iter().find_map(|place| {
            let before = template.find(place)? + place.find('{')?;
            Some(template.get(..before)?.matches('/').count())
        })
    }

    /// Describes the accepted values.
    fn accepted_forms(&self) -> String {
        format!("Expected in the path: {}", self.about.concat().trim())
    }

    /// Returns the parameter in the OpenAPI document.
    pub(crate) fn to_parameter(&self, name: &str) -> Parameter {
        parameter::new_parameter(ParameterIn::Path, name, self.about, (self.describe)()).build()
    }
}

pub(crate) fn parameters(template: &'static str) -> impl Iterator<Item = (&'static str, &'static Row)> {
    template.split('/').enumerate().filter_map(move |(place, segment)| {
        let name = segment.strip_prefix('{')?.strip_suffix('}')?;
        Some((name, *ROWS.iter().find(|row| row.place_in(template) == Some(place))?))
    })
}

/// Returns the kind of the missing object by default, if the path has several. The workspace of a path was found
/// earlier.
pub(crate) fn first_kind(template: &'static str) -> Option<&'static str> {
    let several = parameters(template).count() > 1;
    let mut kinds = parameters(template).map(|(_, row)| row.kind).filter(|kind| *kind != WORKSPACE.row.kind);
    kinds.next().filter(|_| several)
}

/// Returns the detail of a 404 if the template names one object. It lists the accepted values, as the name may be
/// invalid.
pub(crate) fn absent(template: &'static str) -> Option<String> {
    let mut named = parameters(template);
    let (Some((_, row)), None) = (named.next(), named.next()) else { return None };
    Some(format!("There is no such {}. {}", row.kind, row.accepted_forms()))
}

/// Returns the detail of a 404 for the workspace in the path, if the template contains one.
pub(crate) fn absent_workspace(template: &'static str) -> Option<String> {
    let accepted = names(template, WORKSPACE.row.kind)?;
    Some(format!("There is no such {}. {accepted}", WORKSPACE.row.kind))
}

/// Returns the accepted values for this kind, if the template contains it. Letter case is ignored.
pub(crate) fn names(template: &'static str, kind: &str) -> Option<String> {
    parameters(template).find(|(_, row)| row.kind.eq_ignore_ascii_case(kind)).map(|(_, row)| row.accepted_forms())
}

/// Decodes percent-encoding strictly (RFC 3986, section 2.1); `+` is a plus sign.
fn percent_decode(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        decoded.push(if byte == b'%' { digit(bytes.next()?)? << 4 | digit(bytes.next()?)? } else { byte });
    }
    String::from_utf8(decoded).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OF_CONTACT: &str = "/api/v1/contacts/{id}/tags/{tag_id}";

    #[test]
    fn reads_its_own_parameter_decoded() {
        let path = "/api/v1/contacts/external_id:a%2Fb/tags/name:v%C3%AFp";
        assert_eq!(CONTACT.read(OF_CONTACT, path), ContactRef::parse("external_id:a/b"));
        assert_eq!(TAG_OF_CONTACT.read(OF_CONTACT, path), Some(TagRef::Name("vïp".to_owned())));
        assert_eq!(TAG_OF_CONTACT.read(OF_CONTACT, "/api/v1/contacts/external_id:a/tags/name:%zz"), None);
        assert_eq!(TAG.read(OF_CONTACT, path), None);
    }

    #[test]
    fn uses_the_first_matching_row() {
        let about = |template| parameters(template).map(|(_, row)| row.about[0].trim()).collect::<Vec<_>>();
        assert_eq!(
            about("/api/v1/contacts/{id}/restore"),
            ["ID of the contact. A deleted contact has no other identifier."]
        );
        assert_eq!(about("/api/v1/tags/{id}"), ["ID of the tag."]);
        assert_eq!(about(OF_CONTACT)[1], "ID of the tag, or `name:…`, percent-encoded.");
    }

    #[test]
    fn names_the_missing_object_if_a_path_has_several() {
        assert_eq!((first_kind("/api/v1/tags/{id}"), first_kind(OF_CONTACT)), (None, Some("contact")));
        assert_eq!(first_kind("/platform/workspaces/{ws}"), None);
        assert_eq!(first_kind("/platform/workspaces/{ws}/members/{id}"), Some("member"));
        assert_eq!(TAG_OF_CONTACT.kind_among_several(OF_CONTACT), Some("tag"));
        assert_eq!(TAG.kind_among_several("/api/v1/tags/{id}"), None);
    }

    #[test]
    fn describes_the_identifiers_of_a_missing_object() {
        let told = "There is no such contact. Expected in the path: ID of the contact, or `external_id:…`, `email:…` \
                    or `phone:…`, percent-encoded.";
        assert_eq!(absent("/api/v1/contacts/{id}").as_deref(), Some(told));
        assert_eq!((absent(OF_CONTACT), absent("/api/v1/contacts")), (None, None));
        let told = "Expected in the path: ID of the tag, or `name:…`, percent-encoded.";
        assert_eq!((names(OF_CONTACT, "tag").as_deref(), names(OF_CONTACT, "flow")), (Some(told), None));
        assert!(absent_workspace("/platform/workspaces/{ws}/members/{id}").is_some());
        assert_eq!(absent_workspace(OF_CONTACT), None);
        assert!(names("/platform/workspaces/{ws}/api-keys/{id}", "api key").is_some());
    }

    #[test]
    fn accepts_one_spelling_of_a_version() {
        let read =
            |number: &str| FLOW_VERSION.read("/flows/{id}/versions/{number}", &format!("/flows/x/versions/{number}"));
        assert_eq!((read("7"), read("07"), read("+7"), read("x")), (Some(7), None, None, None));
    }
}
