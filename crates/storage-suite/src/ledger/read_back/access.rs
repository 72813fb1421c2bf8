//! Samples of keys, members and invitations.

use tidings_domain::access::{Access, ApiKey, Invitation, Member, Role, User};
use tidings_domain::ids::KeyId;
use tidings_domain::ports::{AccessChange, Change, Founding, Object, Row};

use super::sample::{Does, Maker, Sample, maker, row_makers, unique, unique_digest};
use crate::fixtures::{NOW, World, a_channel, a_key, a_sandbox, a_user, an_invitation, at, id};

pub(super) fn samples() -> Vec<Maker> {
    let mut samples = row_makers(member);
    samples.extend([
        maker(found_workspace),
        maker(insert_key),
        maker(expire_key),
        maker(revoke_key),
        maker(delete_key),
        maker(insert_invitation),
        maker(count_invitation),
        maker(delete_invitation),
    ]);
    samples
}

async fn stored_user(world: &World) -> User {
    let user = a_user(&format!("{}@example.com", unique()));
    world.add(Change::Insert(Row::User(user.clone()))).await;
    user
}

async fn member(world: World, does: Does) -> Sample {
    let user = stored_user(&world).await.id;
    let promote = |it: &mut Member| (it.role, it.updated_at, it.version) = (Role::Admin, at(9), 2);
    let read = async move |w: &World| w.ports.members.member(&w.access, user).await.unwrap().map(|it| it.member);
    does.row(&world, Row::Member, Member::new(user, Role::Viewer, NOW), promote, read).await
}

async fn found_workspace(world: World) -> Sample {
    let owner = stored_user(&world).await.id;
    let mut founding = Founding { channel: a_channel(), ..a_sandbox(world.workspace) };
    (founding.workspace.id, founding.workspace.live_workspace) = (id(), None);
    founding.owner = Some(Member::new(owner, Role::Owner, NOW));
    let workspace = founding.workspace.id;
    let after = (Some(founding.workspace.clone()), Some(founding.channel.clone()), Some(Role::Owner));
    let change = Change::Access(AccessChange::FoundWorkspace(Box::new(founding)));
    Sample::new(&world, change, after, async move |w| {
        let inside = Access::system(workspace);
        let channel = w.ports.channels.default_channel(&inside).await.unwrap();
        let role = w.ports.members.role(&inside, owner).await.unwrap();
        (w.ports.access.workspace(workspace).await.unwrap(), channel, role)
    })
}

fn key(world: &World) -> ApiKey {
    ApiKey { digest: unique_digest(), ..a_key(world.workspace, 0) }
}

async fn stored_key(world: &World) -> ApiKey {
    let key = key(world);
    world.add(Change::Access(AccessChange::InsertKey(key.clone()))).await;
    key
}

async fn read_key(world: &World, key: KeyId) -> Option<ApiKey> {
    world.ports.access.keys(&world.access).await.unwrap().into_iter().find(|it| it.id == key)
}

async fn insert_key(world: World) -> Sample {
    let key = key(&world);
    let change = Change::Access(AccessChange::InsertKey(key.clone()));
    Sample::new(&world, change, Some(key.clone()), async move |w| read_key(w, key.id).await)
}

async fn expire_key(world: World) -> Sample {
    let key = stored_key(&world).await.id;
    let change = Change::Access(AccessChange::ExpireKey { key, end: at(60), at: at(9) });
    let after = Some((Some(at(60)), 2));
    Sample::new(&world, change, after, async move |w| read_key(w, key).await.map(|it| (it.expires_at, it.version)))
}

async fn revoke_key(world: World) -> Sample {
    let key = stored_key(&world).await.id;
    let change = Change::Access(AccessChange::RevokeKey { key, at: at(9) });
    let after = Some((Some(at(9)), 2));
    Sample::new(&world, change, after, async move |w| read_key(w, key).await.map(|it| (it.revoked_at, it.version)))
}

async fn delete_key(world: World) -> Sample {
    let key = stored_key(&world).await.id;
    Sample::new(&world, Change::Delete(Object::Key(key)), None, async move |w| read_key(w, key).await)
}

fn invitation() -> Invitation {
    Invitation { digest: unique_digest(), ..an_invitation(&format!("{}@example.com", unique()), 0) }
}

async fn stored_invitation(world: &World) -> Invitation {
    let invitation = invitation();
    world.add(Change::Access(AccessChange::InsertInvitation(invitation.clone()))).await;
    invitation
}

async fn insert_invitation(world: World) -> Sample {
    let invitation = invitation();
    let (digest, after) = (invitation.digest, Some((invitation.clone(), world.workspace)));
    let change = Change::Access(AccessChange::InsertInvitation(invitation));
    Sample::new(&world, change, after, async move |w| w.ports.accounts.invitation(digest).await.unwrap())
}

async fn count_invitation(world: World) -> Sample {
    let invitation = stored_invitation(&world).await.id;
    let change = Change::Access(AccessChange::CountInvitation { invitation, at: at(9) });
    Sample::new(&world, change, true, async move |w| {
        let refused = w.ports.members.counted_invitations(&w.access, NOW).await.unwrap();
        refused.contains(&(invitation, at(9)))
    })
}

async fn delete_invitation(world: World) -> Sample {
    let Invitation { id, digest, .. } = stored_invitation(&world).await;
    let change = Change::Delete(Object::Invitation(id));
    Sample::new(&world, change, None, async move |w| w.ports.accounts.invitation(digest).await.unwrap())
}
