//! Steps of keys, members, users and sessions; of erasures, merges and opt-outs.

use tidings_domain::ports::{AccessChange, AccountChange, ErasureChange, MergeChange, OptOutChange};

use crate::opt_outs::Required;
use crate::types::DbId;
use crate::write::rows::Rows;
use crate::write::step::{Step, writing};
use crate::{access, accounts, erasures, members, merges, opt_outs, workspace_deletion};

pub(super) fn access(ws: DbId, change: &AccessChange) -> Step<'_> {
    match change {
        AccessChange::FoundWorkspace(it) => Step::alone(move |c| writing(access::found(c, ws, it))),
        AccessChange::DeleteWorkspace { version, deletion, at } => {
            Step::alone(move |c| writing(workspace_deletion::delete(c, ws, (*version, *deletion), *at)))
        }
        AccessChange::RestoreWorkspace { version, deletion, outbound, at } => {
            Step::alone(move |c| writing(workspace_deletion::restore(c, ws, (*version, *deletion), *outbound, *at)))
        }
        AccessChange::InsertKey(it) => Step::alone(move |c| writing(access::insert_key(c, ws, it))),
        AccessChange::ExpireKey { key, end, at } => {
            Step::alone(move |c| writing(access::expire_key(c, ws, *key, *end, *at)))
        }
        AccessChange::RevokeKey { key, at } => Step::alone(move |c| writing(access::revoke_key(c, ws, *key, *at))),
        AccessChange::InsertInvitation(it) => Step::alone(move |c| writing(members::invite(c, ws, it))),
        AccessChange::RefuseInvitation { invitation, at } => {
            Step::alone(move |c| writing(members::refuse(c, ws, *invitation, *at)))
        }
    }
}

pub(super) fn account(change: &AccountChange) -> Step<'_> {
    match change {
        AccountChange::InsertSession(it) => Step::alone(move |c| writing(accounts::insert_session(c, it))),
        AccountChange::RevokeSession { session, at } => {
            Step::alone(move |c| writing(accounts::revoke_session(c, *session, *at)))
        }
        AccountChange::RevokeSessionsOf { user, except, at } => {
            Step::alone(move |c| writing(accounts::revoke_sessions_of(c, *user, *except, *at)))
        }
        AccountChange::InsertRefreshToken(it) => Step::alone(move |c| writing(accounts::insert_token(c, it))),
        AccountChange::RotateRefreshToken { digest, at } => {
            Step::alone(move |c| writing(accounts::rotate_token(c, *digest, *at)))
        }
        AccountChange::InsertSigningKey(it) => Step::alone(move |c| writing(accounts::insert_signing_key(c, it))),
        AccountChange::CountLogin { before, attempts } => {
            Step::alone(move |c| writing(accounts::count_login(c, *before, attempts)))
        }
        AccountChange::ForgetLogins { account } => Step::alone(move |c| writing(accounts::forget_logins(c, account))),
    }
}

pub(super) fn erasure(ws: DbId, change: &ErasureChange) -> Step<'_> {
    match change {
        ErasureChange::Begin { contact, erasure } => {
            Step::alone(move |c| writing(erasures::begin(c, ws, contact, erasure)))
        }
        ErasureChange::RemovePart { contact, limit, at } => {
            Step::alone(move |c| writing(erasures::remove_part(c, ws, *contact, *limit, *at)))
        }
        ErasureChange::End { contact, at } => Step::alone(move |c| writing(erasures::end(c, ws, *contact, *at))),
    }
}

pub(super) fn merge(ws: DbId, change: &MergeChange) -> Step<'_> {
    match change {
        MergeChange::Begin { contact, merge } => Step::alone(move |c| writing(merges::begin(c, ws, contact, merge))),
        MergeChange::MovePart { contact, into, limit } => {
            Step::alone(move |c| writing(merges::move_part(c, ws, *contact, *into, *limit)))
        }
        MergeChange::End { contact, at } => Step::alone(move |c| writing(merges::end(c, ws, *contact, *at))),
    }
}

pub(super) fn opt_out(ws: DbId, change: &OptOutChange) -> Step<'_> {
    match change {
        OptOutChange::MakeKey { sealed, at } => Step::alone(move |c| writing(opt_outs::make_key(c, ws, sealed, *at))),
        OptOutChange::Remember { opt_outs: of, at } => {
            Step::alone(move |c| writing(opt_outs::remember(c, ws, of, *at)))
        }
        OptOutChange::Lift { digests } => Step::alone(move |c| writing(opt_outs::lift(c, ws, digests))),
        OptOutChange::Require { revision } => Step::Grouped(Rows::OptOuts(vec![Required::write(ws, *revision)])),
    }
}
