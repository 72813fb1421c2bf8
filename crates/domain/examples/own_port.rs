//! A custom implementation of one port, with the store in memory for the others: members come from an existing
//! directory. Run it with `cargo run -p tidings-domain --example own_port`.

use std::collections::HashMap;
use std::error::Error;
use std::io::Write;
use std::sync::Arc;

use async_trait::async_trait;
use futures::executor::block_on;
use tidings_domain::access::{Invitation, Member, MemberEntry, User};
use tidings_domain::commands::{
    Access, ContactRef, Content, ExpectedVersion, NewContact, NewWorkspace, Plan, Role, SendMessage,
};
use tidings_domain::ids::{InvitationId, TypedId, UserId, WorkspaceId};
use tidings_domain::memory::MemoryStore;
use tidings_domain::store::{MemberQueries, StoreError};
use tidings_domain::time::Timestamp;
use tidings_domain::{Ports, Tidings};

/// An existing directory of members, by workspace and user.
#[derive(Default)]
struct Directory(HashMap<(WorkspaceId, UserId), MemberEntry>);

#[async_trait]
impl MemberQueries for Directory {
    async fn role(&self, access: &Access, user: UserId) -> Result<Option<Role>, StoreError> {
        Ok(self.0.get(&(access.workspace(), user)).map(|entry| entry.member.role))
    }

    async fn member(&self, access: &Access, user: UserId) -> Result<Option<MemberEntry>, StoreError> {
        Ok(self.0.get(&(access.workspace(), user)).cloned())
    }

    async fn members(&self, access: &Access) -> Result<Vec<MemberEntry>, StoreError> {
        let own = self.0.iter().filter(|((workspace, _), _)| *workspace == access.workspace());
        let mut own: Vec<_> = own.map(|(_, entry)| entry.clone()).collect();
        own.sort_by_key(|entry| (entry.member.created_at, entry.user.id));
        Ok(own)
    }

    async fn invitations(&self, _: &Access) -> Result<Vec<Invitation>, StoreError> {
        Ok(Vec::new())
    }

    async fn counted_invitations(
        &self,
        _: &Access,
        _: Timestamp,
    ) -> Result<Vec<(InvitationId, Timestamp)>, StoreError> {
        Ok(Vec::new())
    }
}

impl Directory {
    fn add(&mut self, workspace: WorkspaceId, id: UserId, name: &str) -> Result<(), Box<dyn Error>> {
        let (created_at, updated_at, version) = (Timestamp::EPOCH_2026, Timestamp::EPOCH_2026, 1);
        let email = format!("{}@example.com", name.to_lowercase()).parse().map_err(|_| "no address")?;
        let (name, language, password_hash, operator, reset) = (name.to_owned(), None, String::new(), false, None);
        let user = User { id, email, name, language, password_hash, operator, reset, created_at, updated_at, version };
        let member = Member { user: id, role: Role::Member, created_at, updated_at, version };
        self.0.insert((workspace, id), MemberEntry { user, member });
        Ok(())
    }
}

/// Assigns a conversation to a member of the directory, then tries to assign it to an unknown user.
pub fn play(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let ports = Ports::in_memory(Arc::new(MemoryStore::new()));
    let acme = NewWorkspace::new("Acme", Plan::Pro);
    let acme = block_on(Tidings::new(ports.clone()).access.create_workspace(acme))?.id;
    let (grace, stranger) = (UserId::from_uuid(ports.ids.next()), UserId::from_uuid(ports.ids.next()));
    let mut directory = Directory::default();
    directory.add(acme, grace, "Grace")?;
    let tidings = Tidings::new(Ports { members: Arc::new(directory), ..ports });

    block_on(async {
        let access = Access::system(acme);
        let ada = tidings.contacts.create(&access, NewContact::default(), None).await?.value;
        let hello = SendMessage::new(Content::text("Hello"));
        let conversation =
            tidings.conversations.send(&access, &ContactRef::Id(ada.id), hello, None).await?.value.conversation;
        for user in [grace, stranger] {
            let Some(conversation) = conversation else { break };
            match tidings.conversations.assign(&access, conversation, Some(user), &ExpectedVersion::Any, None).await {
                Ok(_) => writeln!(out, "assigned")?,
                Err(error) => writeln!(out, "refused: {error}")?,
            }
        }
        Ok(())
    })
}

#[allow(dead_code, reason = "the test plays it itself")]
fn main() -> Result<(), Box<dyn Error>> {
    play(&mut std::io::stdout())
}
