//! Password reset links for members.

use super::PlatformService;
use super::members::{allowed, at_home};
use crate::access::{Access, PasswordReset, RESET_LIFE, ResetLink, Role};
use crate::audit::{AuditAction, AuditDraft};
use crate::error::Error;
use crate::ids::UserId;
use crate::outcome::{Done, IdempotencyHook};
use crate::ports::{Change, ChangeSet, Row};
use crate::retry::{commit_outcome, retry_on_conflict};

/// The actor who requests a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResetBy {
    /// An operator.
    Operator(UserId),
    /// A member with this role.
    Member(UserId, Role),
}

impl PlatformService {
    /// Creates a password reset link for a member. A member can create it only for users without other workspaces,
    /// because the holder of the link can act as the user in all workspaces.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::RoleTooLow`] for an owner, by an admin; [`Error::NeedsOperator`] for a user who
    /// has other workspaces or is an operator; [`Error::Invalid`] for the actor's own account; [`Error::Store`].
    pub async fn reset_link_of_member(
        &self,
        access: &Access,
        by: ResetBy,
        member: UserId,
        idempotency: IdempotencyHook<'_, ResetLink>,
    ) -> Result<Done<ResetLink>, Error> {
        at_home(access)?;
        let (ResetBy::Operator(actor) | ResetBy::Member(actor, _)) = by;
        if actor == member {
            let why = "change your own password with POST /auth/password";
            return Err(Error::invalid("", "own_account", why));
        }
        retry_on_conflict(|| async {
            let entry = self.member(access, member).await?;
            if let ResetBy::Member(_, role) = by {
                allowed(role, Some(entry.member.role), None)?;
                let places = self.ports.accounts.memberships(member).await?;
                let elsewhere = places.iter().any(|it| it.workspace.home() != access.workspace());
                if elsewhere || entry.user.operator {
                    return Err(Error::NeedsOperator.into());
                }
            }
            let (now, token) = (self.ports.clock.now(), self.ports.tokens.fresh());
            let expires_at = now.plus(RESET_LIFE);
            let user = entry.user.with_reset(Some(PasswordReset { digest: token.digest, expires_at }), now);
            let mut set = ChangeSet::new(access.workspace());
            set.change(Change::Update(Row::User(user.clone())));
            let draft = AuditDraft::done(AuditAction::MemberResetLinkCreated, &entry.member);
            self.ports.add_audit(draft.with("expires_at", &expires_at), access, &mut set);
            let done = Done::created(ResetLink { user, token: token.text, expires_at });
            commit_outcome(&*self.ports.ledger, set, done, idempotency).await
        })
        .await
    }
}
