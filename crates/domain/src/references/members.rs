//! Former members that stored objects name by ID.

use std::collections::BTreeSet;

use super::model::LostReference;
use crate::access::Access;
use crate::ids::UserId;
use crate::ports::{MemberQueries, StoreError};
use crate::time::Timestamp;

/// Returns the named users who are not members. The time when they left is unknown, so `since` is reported. This stops
/// nothing: conversations can still be assigned to former members.
pub(crate) async fn lost_members(
    members: &dyn MemberQueries,
    access: &Access,
    named: impl IntoIterator<Item = String>,
    since: Timestamp,
) -> Result<Vec<LostReference>, StoreError> {
    let named: BTreeSet<UserId> = named.into_iter().filter_map(|word| word.parse().ok()).collect();
    if named.is_empty() {
        return Ok(Vec::new());
    }
    let present: BTreeSet<UserId> = members.members(access).await?.iter().map(|it| it.user.id).collect();
    Ok(named.difference(&present).map(|user| LostReference::member(*user, since)).collect())
}
