//! Members of workspaces, and invitations. A sandbox has the members of its live workspace.

use async_trait::async_trait;
use diesel::prelude::*;
use tidings_domain::access::{Access, INVITATION_SPAN, Invitation, Member, MemberEntry, Role};
use tidings_domain::contacts::Email;
use tidings_domain::ids::{InvitationId, UserId};
use tidings_domain::ports::{MemberQueries, StoreError};
use tidings_domain::time::Timestamp;

use crate::Storage;
use crate::access::users::UserRow;
use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, load};
use crate::queries::rows::word;
use crate::queries::types::{DbId, DbTime};
use crate::schema::{invitations, members, refused_invitations, users, workspaces};
use crate::write::row_locks::{self, RowLock};

crate::write::write_texts! {
    MemberRow: crate::write::Shape::of("members"),
    InvitationRow: crate::write::Shape::of("invitations"),
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = members)]
    pub(crate) struct MemberRow in members {
        workspace_id: DbId,
        user_id: DbId,
        role: String,
        created_at: DbTime,
        updated_at: DbTime,
        version: i64,
    }
}

impl MemberRow {
    pub(crate) fn write(workspace_id: DbId, it: &Member) -> Self {
        Self {
            workspace_id,
            user_id: it.user.into(),
            role: it.role.as_str().to_owned(),
            created_at: it.created_at.into(),
            updated_at: it.updated_at.into(),
            version: it.version,
        }
    }

    pub(crate) fn role(&self) -> Result<Role, Fault> {
        word(&self.role, "role", Role::parse)
    }

    fn read(self) -> Result<Member, Fault> {
        Ok(Member {
            role: self.role()?,
            user: self.user_id.to_typed_id(),
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            version: self.version,
        })
    }
}

crate::write::row! {
    #[derive(Debug, Clone, Queryable, Selectable)]
    #[diesel(table_name = invitations)]
    pub(crate) struct InvitationRow in invitations {
        pub(crate) workspace_id: DbId,
        id: DbId,
        email: String,
        role: String,
        digest: Vec<u8>,
        created_at: DbTime,
        expires_at: DbTime,
        invited_by: Option<DbId>,
    }
}

impl InvitationRow {
    pub(crate) fn read(self) -> Result<Invitation, Fault> {
        let digest = self.digest.try_into().map_err(|_| StoreError::Corrupt("a digest".to_owned()))?;
        Ok(Invitation {
            id: self.id.to_typed_id(),
            email: Email::from_store(self.email),
            role: word(&self.role, "role", Role::parse)?,
            digest,
            invited_by: self.invited_by.map(DbId::to_typed_id),
            created_at: self.created_at.0,
            expires_at: self.expires_at.0,
        })
    }
}

/// Returns the workspaces with members of this one: itself, and its live workspace if it is a sandbox.
async fn homes(c: &mut Connection<'_>, ws: DbId) -> Result<[DbId; 2], Fault> {
    let live: Option<Option<DbId>> = find!(c, workspaces::table.find(ws).select(workspaces::live_workspace_id))?;
    Ok([ws, live.flatten().unwrap_or(ws)])
}

#[async_trait]
impl MemberQueries for Storage {
    async fn role(&self, access: &Access, user: UserId) -> Result<Option<Role>, StoreError> {
        let (ws, user) = (DbId::from(access.workspace()), DbId::from(user));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let homes = homes(&mut c, ws).await?;
                let of_user = members::table.filter(members::user_id.eq(user));
                let row: Option<String> =
                    find!(&mut c, of_user.filter(members::workspace_id.eq_any(homes)).select(members::role))?;
                row.map(|role| word(&role, "role", Role::parse)).transpose()
            })
        })
        .await
    }

    async fn member(&self, access: &Access, user: UserId) -> Result<Option<MemberEntry>, StoreError> {
        let (ws, user) = (DbId::from(access.workspace()), DbId::from(user));
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let homes = homes(&mut c, ws).await?;
                let row: Option<(MemberRow, UserRow)> = find!(
                    &mut c,
                    members::table
                        .filter(members::workspace_id.eq_any(homes))
                        .inner_join(users::table.on(users::id.eq(members::user_id)))
                        .filter(members::user_id.eq(user))
                        .select((MemberRow::as_select(), UserRow::as_select()))
                )?;
                row.map(|(member, user)| Ok(MemberEntry { member: member.read()?, user: user.read()? })).transpose()
            })
        })
        .await
    }

    async fn members(&self, access: &Access) -> Result<Vec<MemberEntry>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let homes = homes(&mut c, ws).await?;
                let rows: Vec<(MemberRow, UserRow)> = load!(
                    &mut c,
                    members::table
                        .filter(members::workspace_id.eq_any(homes))
                        .inner_join(users::table.on(users::id.eq(members::user_id)))
                        .order((members::created_at.asc(), members::user_id.asc()))
                        .select((MemberRow::as_select(), UserRow::as_select()))
                )?;
                let entry = |(member, user): (MemberRow, UserRow)| {
                    Ok(MemberEntry { member: member.read()?, user: user.read()? })
                };
                rows.into_iter().map(entry).collect()
            })
        })
        .await
    }

    async fn invitations(&self, access: &Access) -> Result<Vec<Invitation>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let homes = homes(&mut c, ws).await?;
                let rows: Vec<InvitationRow> = load!(
                    &mut c,
                    invitations::table
                        .filter(invitations::workspace_id.eq_any(homes))
                        .order((invitations::created_at.asc(), invitations::id.asc()))
                        .select(InvitationRow::as_select())
                )?;
                rows.into_iter().map(InvitationRow::read).collect()
            })
        })
        .await
    }

    async fn counted_invitations(
        &self,
        access: &Access,
        since: Timestamp,
    ) -> Result<Vec<(InvitationId, Timestamp)>, StoreError> {
        let ws = DbId::from(access.workspace());
        self.read(ws, move |mut c| {
            Box::pin(async move {
                let rows: Vec<(DbId, DbTime)> = load!(
                    &mut c,
                    refused_invitations::table
                        .filter(refused_invitations::workspace_id.eq(ws))
                        .filter(refused_invitations::at.ge(DbTime(since)))
                        .select((refused_invitations::invitation_id, refused_invitations::at))
                )?;
                Ok(rows.into_iter().map(|(invitation, at)| (invitation.to_typed_id(), at.0)).collect())
            })
        })
        .await
    }
}

pub(crate) async fn invite(c: &mut Connection<'_>, workspace_id: DbId, it: &Invitation) -> Result<(), Fault> {
    let row = InvitationRow {
        workspace_id,
        id: it.id.into(),
        email: it.email.to_string(),
        role: it.role.as_str().to_owned(),
        digest: it.digest.to_vec(),
        created_at: it.created_at.into(),
        expires_at: it.expires_at.into(),
        invited_by: it.invited_by.map(Into::into),
    };
    crate::write::insert(c, &[row]).await
}

/// Records once that an invitation counts towards the limit, whether it was refused or created an account. Also deletes
/// records that are too old for the limit.
pub(crate) async fn count_invitation(
    c: &mut Connection<'_>,
    ws: DbId,
    invitation: InvitationId,
    at: Timestamp,
) -> Result<(), Fault> {
    let old = refused_invitations::table
        .filter(refused_invitations::workspace_id.eq(ws))
        .filter(refused_invitations::at.lt(DbTime(at.minus(INVITATION_SPAN))));
    execute!(c, diesel::delete(old))?;
    let row = (
        refused_invitations::workspace_id.eq(ws),
        refused_invitations::invitation_id.eq(DbId::from(invitation)),
        refused_invitations::at.eq(DbTime(at)),
    );
    let insert = diesel::insert_into(refused_invitations::table).values(row);
    let key = (refused_invitations::workspace_id, refused_invitations::invitation_id);
    execute!(c, insert.on_conflict(key).do_nothing()).map(|_| ())
}

/// Locks a user's membership of the workspace, or of the live workspace of a sandbox, and returns the role.
pub(crate) async fn hold_role(
    c: &mut Connection<'_>,
    ws: DbId,
    user: UserId,
    hold: RowLock,
) -> Result<Option<Role>, Fault> {
    let of = homes(c, ws).await?;
    match row_locks::role(c, of, user.into(), hold).await {
        Ok(role) => word(&role, "role", Role::parse).map(Some),
        Err(Fault::NoRow) => Ok(None),
        Err(fault) => Err(fault),
    }
}
