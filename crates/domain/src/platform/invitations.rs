//! Invitations: members create them, and hand over their tokens.

use std::time::Duration;

use secrecy::SecretString;

use super::members::{allowed, at_home};
use super::{MAX_MEMBERS, MemberView, PlatformService};
use crate::access::{Access, INVITATION_SPAN, Invitation, MemberEntry, Role};
use crate::audit::{AuditAction, AuditDraft};
use crate::contacts::Email;
use crate::error::Error;
use crate::ids::{InvitationId, TypedId, UserId};
use crate::outcome::{Done, IdempotencyHook, record_of};
use crate::ports::{AccessChange, Change, ChangeSet, CommitError, Conflict, Counted, Guard, Object};
use crate::retry::{AttemptError, retry_on_conflict};
use crate::time::Timestamp;

/// The maximum number of invitations per hour that are open, that created an account, or that were refused on acceptance.
/// The token of an invitation shows its holder whether the email has an account, and creates an account for any email.
/// So this limits how many emails a workspace can test, and how many accounts it can create.
pub const MAX_INVITATIONS: i64 = 20;
const OPEN: Duration = Duration::from_secs(7 * 86_400);

/// An invitation to create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invite {
    /// The email of a new account.
    pub email: Email,
    /// The role of the new member.
    pub role: Role,
}

impl Invite {
    /// Creates the command for an invitation of this email.
    pub fn new(email: Email, role: Role) -> Self {
        Self { email, role }
    }
}

/// A new invitation.
#[derive(Debug, Clone)]
pub struct Invited {
    /// The invitation.
    pub view: MemberView,
    /// The token of its link, which is shown only this time.
    pub token: SecretString,
}

/// The members and invitations of a workspace, and the invitations that recently created an account or were refused.
struct KnownMembers {
    members: Vec<MemberEntry>,
    invitations: Vec<Invitation>,
    used: Vec<(InvitationId, Timestamp)>,
}

impl KnownMembers {
    fn role_of(&self, user: Option<UserId>) -> Option<Role> {
        self.members.iter().find(|it| Some(it.user.id) == user).map(|it| it.member.role)
    }

    /// Whether the limit counts this open invitation as open.
    fn counts(&self, it: &Invitation, since: Timestamp) -> bool {
        it.created_at >= since && self.used.iter().all(|(used, _)| *used != it.id)
    }

    /// Returns the time until the limit allows another invitation.
    fn wait(&self, now: Timestamp) -> Duration {
        let since = now.minus(INVITATION_SPAN);
        let open = self.invitations.iter().filter(|it| self.counts(it, since)).map(|it| it.created_at);
        let mut counted: Vec<Timestamp> = open.chain(self.used.iter().map(|(_, at)| *at)).collect();
        counted.sort_unstable();
        let most = usize::try_from(MAX_INVITATIONS).unwrap_or(usize::MAX);
        let leaving = counted.get(counted.len().saturating_sub(most)).copied();
        leaving.map_or(Duration::ZERO, |at| at.plus(INVITATION_SPAN).since(now)).max(Duration::from_secs(1))
    }
}

impl PlatformService {
    /// Invites a user by a token. It does not check whether the email has an account. An earlier invitation of the same
    /// email is withdrawn.
    ///
    /// # Errors
    /// [`Error::RoleTooLow`]; [`Error::Taken`] if a member has the email; [`Error::Full`], [`Error::InvitationLimit`],
    /// [`Error::Store`].
    pub async fn invite(
        &self,
        access: &Access,
        actor: Role,
        invite: Invite,
        idempotency: IdempotencyHook<'_, Invited>,
    ) -> Result<Done<Invited>, Error> {
        at_home(access)?;
        allowed(actor, None, Some(invite.role))?;
        retry_on_conflict(|| async {
            let now = self.ports.clock.now();
            let since = now.minus(INVITATION_SPAN);
            let known = KnownMembers {
                members: self.ports.members.members(access).await?,
                invitations: self.ports.members.invitations(access).await?,
                used: self.ports.members.counted_invitations(access, since).await?,
            };
            if known.members.iter().any(|it| it.user.email == invite.email) {
                return Err(Error::Taken { what: "member", field: "email", existing: None }.into());
            }
            let mut set = ChangeSet::new(access.workspace());
            let (mut leaving, mut leaving_of_hour) = (0, 0);
            for it in &known.invitations {
                let is_open = now < it.expires_at && it.is_backed(known.role_of(it.invited_by));
                if it.email == invite.email || !is_open {
                    set.change(Change::Delete(Object::Invitation(it.id)));
                    leaving += 1;
                    leaving_of_hour += i64::from(known.counts(it, since));
                    // The others ended without an action of the actor.
                    let replaced = is_open.then(|| AuditDraft::deleted(AuditAction::InvitationWithdrawn, it));
                    self.ports.add_audit(replaced, access, &mut set);
                }
            }
            set.guard(Guard::Room { what: Counted::Members, adding: 1 - leaving, most: MAX_MEMBERS });
            let of_hour = Counted::Invitations { since };
            set.guard(Guard::Room { what: of_hour, adding: 1 - leaving_of_hour, most: MAX_INVITATIONS });
            let token = self.ports.tokens.fresh();
            let invitation = Invitation {
                id: InvitationId::from_uuid(self.ports.ids.next()),
                email: invite.email.clone(),
                role: invite.role,
                digest: token.digest,
                invited_by: access.actor().as_user(),
                created_at: now,
                expires_at: now.plus(OPEN),
            };
            let done = Done::created(Invited { view: MemberView::from(&invitation), token: token.text });
            let draft = AuditDraft::created(AuditAction::InvitationCreated, &invitation);
            self.ports.add_audit(draft, access, &mut set);
            set.change(Change::Access(AccessChange::InsertInvitation(invitation)));
            set.idempotency = record_of(idempotency, &done);
            match self.ports.ledger.commit(set).await {
                Ok(()) => Ok(done),
                Err(CommitError::Conflict(Conflict::Full { what: Counted::Invitations { .. }, .. })) => {
                    Err(Error::InvitationLimit { retry_after: known.wait(now) }.into())
                }
                Err(error) => Err(AttemptError::from(error)),
            }
        })
        .await
    }

    /// Withdraws an invitation.
    ///
    /// # Errors
    /// [`Error::NotFound`], [`Error::RoleTooLow`], [`Error::Store`].
    pub async fn withdraw(&self, access: &Access, actor: Role, invitation: InvitationId) -> Result<(), Error> {
        at_home(access)?;
        let all = self.ports.members.invitations(access).await?;
        let found = all.into_iter().find(|it| it.id == invitation).ok_or(Error::NotFound)?;
        allowed(actor, Some(found.role), None)?;
        let mut set = ChangeSet::new(access.workspace());
        set.change(Change::Delete(Object::Invitation(invitation)));
        self.ports.add_audit(AuditDraft::deleted(AuditAction::InvitationWithdrawn, &found), access, &mut set);
        self.ports.ledger.commit(set).await.map_err(|error| match error {
            CommitError::Conflict(Conflict::Stale(_)) => Error::NotFound,
            error => error.into(),
        })
    }
}
