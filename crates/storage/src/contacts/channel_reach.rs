//! Counts of the contacts that a channel reaches.

use diesel::dsl::{case_when, count as count_of, count_star, exists, not, sum};
use diesel::prelude::*;
use diesel::sql_types::Integer;
use tidings_domain::contacts::{ChannelReach, ContactFilter, ContactStatus};

use crate::connection::faults::Fault;
use crate::connection::{Connection, load};
use crate::contacts::contact_lists::Narrow;
use crate::queries::types::DbId;
use crate::schema::{contact_identities, contacts};

/// The lower bits of a sum count the contacts with an address, and the upper ones those of them that are opted in. The
/// database thus looks at the addresses of each contact once.
const OPTED_IN_BITS: u32 = 30;
const WITH_ADDRESS: i32 = 1;
const OPTED_IN: i32 = 1 << OPTED_IN_BITS | WITH_ADDRESS;

/// Counts all contacts of a filter by whether they can be reached on a channel.
pub(super) async fn count(
    c: &mut Connection<'_>,
    ws: DbId,
    filter: &ContactFilter,
    channel: DbId,
) -> Result<ChannelReach, Fault> {
    let counted: Vec<(i64, i64, i64, Option<i64>)> = load!(uncached, c, {
        let on_channel = || {
            contact_identities::table
                .filter(contact_identities::workspace_id.eq(ws))
                .filter(contact_identities::channel_id.eq(channel))
                .filter(contact_identities::live.eq(true))
                .filter(contact_identities::contact_id.eq(contacts::id))
        };
        let not_blocked = || contacts::status.ne(ContactStatus::Blocked.as_str());
        let subscribed = || not_blocked().and(contacts::subscribed.eq(true));
        let addresses = case_when(not(subscribed()), 0.into_sql::<Integer>())
            .when(exists(on_channel().filter(contact_identities::opted_in.eq(true)).offset(0)), OPTED_IN)
            .when(exists(on_channel().offset(0)), WITH_ADDRESS)
            .otherwise(0);
        let query = contacts::table
            .select((
                count_star(),
                count_of(contacts::id).aggregate_filter(not_blocked()),
                count_of(contacts::id).aggregate_filter(subscribed()),
                sum(addresses),
            ))
            .into_boxed::<Db>();
        Db::scanned(query, ws, filter)
    })?;
    let mut reach = ChannelReach::default();
    for (contacts, not_blocked, subscribed, addresses) in counted {
        let addresses = addresses.unwrap_or_default().unsigned_abs();
        reach.contacts += contacts.unsigned_abs();
        reach.not_blocked += not_blocked.unsigned_abs();
        reach.subscribed += subscribed.unsigned_abs();
        reach.with_address += addresses & ((1 << OPTED_IN_BITS) - 1);
        reach.opted_in += addresses >> OPTED_IN_BITS;
    }
    Ok(reach)
}
