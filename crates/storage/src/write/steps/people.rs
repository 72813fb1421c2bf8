//! Steps of keys, members, users and sessions; of erasures, merges and opt-outs.

use tidings_domain::ports::{AccessChange, AccountChange, ErasureChange, MergeChange, OptOutChange};

use crate::access::{self, accounts, members, workspace_deletion};
use crate::contacts::opt_outs::{self, Required};
use crate::contacts::{erasures, merges};
use crate::queries::types::DbId;
use crate::write::rows::Rows;
use crate::write::step::{Write, writing};

pub(super) fn access(ws: DbId, change: &AccessChange) -> Write<'_> {
    match change {
        AccessChange::FoundWorkspace(it) => Write::unbatched(move |c| writing(access::found(c, ws, it))),
        AccessChange::DeleteWorkspace { version, deletion, at } => {
            Write::unbatched(move |c| writing(workspace_deletion::delete(c, ws, (*version, *deletion), *at)))
        }
        AccessChange::RestoreWorkspace { version, deletion, outbound, at } => Write::unbatched(move |c| {
            writing(workspace_deletion::restore(c, ws, (*version, *deletion), *outbound, *at))
        }),
        AccessChange::InsertKey(it) => Write::unbatched(move |c| writing(access::insert_key(c, ws, it))),
        AccessChange::ExpireKey { key, end, at } => {
            Write::unbatched(move |c| writing(access::expire_key(c, ws, *key, *end, *at)))
        }
        AccessChange::RevokeKey { key, at } => Write::unbatched(move |c| writing(access::revoke_key(c, ws, *key, *at))),
        AccessChange::InsertInvitation(it) => Write::unbatched(move |c| writing(members::invite(c, ws, it))),
        AccessChange::CountInvitation { invitation, at } => {
            Write::unbatched(move |c| writing(members::count_invitation(c, ws, *invitation, *at)))
        }
    }
}

pub(super) fn account(change: &AccountChange) -> Write<'_> {
    match change {
        AccountChange::InsertSession(it) => Write::unbatched(move |c| writing(accounts::insert_session(c, it))),
        AccountChange::RevokeSession { session, at } => {
            Write::unbatched(move |c| writing(accounts::revoke_session(c, *session, *at)))
        }
        AccountChange::RevokeSessionsOf { user, except, at } => {
            Write::unbatched(move |c| writing(accounts::revoke_sessions_of(c, *user, *except, *at)))
        }
        AccountChange::InsertRefreshToken(it) => Write::unbatched(move |c| writing(accounts::insert_token(c, it))),
        AccountChange::RotateRefreshToken { digest, at } => {
            Write::unbatched(move |c| writing(accounts::rotate_token(c, *digest, *at)))
        }
        AccountChange::InsertSigningKey(it) => Write::unbatched(move |c| writing(accounts::insert_signing_key(c, it))),
        AccountChange::CountLogin { before, attempts } => {
            Write::unbatched(move |c| writing(accounts::count_login(c, *before, attempts)))
        }
        AccountChange::ForgetLogins { account } => {
            Write::unbatched(move |c| writing(accounts::forget_logins(c, account)))
        }
    }
}

pub(super) fn erasure(ws: DbId, change: &ErasureChange) -> Write<'_> {
    match change {
        ErasureChange::Begin { contact, erasure } => {
            Write::unbatched(move |c| writing(erasures::begin(c, ws, contact, erasure)))
        }
        ErasureChange::RemovePart { contact, limit, at } => {
            Write::unbatched(move |c| writing(erasures::remove_part(c, ws, *contact, *limit, *at)))
        }
        ErasureChange::End { contact, at } => Write::unbatched(move |c| writing(erasures::end(c, ws, *contact, *at))),
    }
}

pub(super) fn merge(ws: DbId, change: &MergeChange) -> Write<'_> {
    match change {
        MergeChange::Begin { contact, merge } => {
            Write::unbatched(move |c| writing(merges::begin(c, ws, contact, merge)))
        }
        MergeChange::MovePart { contact, into, limit, at } => {
            Write::unbatched(move |c| writing(merges::move_part(c, ws, *contact, *into, *limit, *at)))
        }
        MergeChange::End { contact, at } => Write::unbatched(move |c| writing(merges::end(c, ws, *contact, *at))),
    }
}

pub(super) fn opt_out(ws: DbId, change: &OptOutChange) -> Write<'_> {
    match change {
        OptOutChange::MakeKey { sealed, at } => {
            Write::unbatched(move |c| writing(opt_outs::make_key(c, ws, sealed, *at)))
        }
        OptOutChange::Remember { opt_outs: of, at } => {
            Write::unbatched(move |c| writing(opt_outs::remember(c, ws, of, *at)))
        }
        OptOutChange::Lift { digests } => Write::unbatched(move |c| writing(opt_outs::lift(c, ws, digests))),
        OptOutChange::Require { revision } => Write::Grouped(Rows::OptOuts(vec![Required::write(ws, *revision)])),
    }
}
