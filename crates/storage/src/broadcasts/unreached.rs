//! SQL that selects the recipients of a repeated broadcast: one source for both databases.

use diesel::IntoSql;
use diesel::dsl::{exists, not};
use diesel::prelude::*;
use diesel::sql_types::Bool;
use tidings_domain::broadcasts::RecipientStatus;
use tidings_domain::contacts::{ContactStatus, UnreachedRecipients};
use tidings_domain::conversations::Suppression;

use super::DONE;
use crate::conditions::Chosen;
use crate::conditions::unindexed::UnindexedFilter;
use crate::connection::for_each_backend;
use crate::queries::types::DbId;
use crate::schema::{broadcast_recipients, broadcasts, contact_identities, contact_merges, contacts};

pub(crate) trait ChooseUnreached: diesel::backend::Backend {
    /// Selects the contacts that get a repeated broadcast, or all if the broadcast is not a repetition. The rest of the
    /// query must filter contacts by workspace.
    fn unreached(ws: DbId, of: Option<&UnreachedRecipients>) -> Chosen<Self>;
}

fn statuses(has: impl Fn(RecipientStatus) -> bool) -> Vec<&'static str> {
    let all = RecipientStatus::WORDS.iter().filter_map(|word| RecipientStatus::parse(word));
    all.filter(|status| has(*status)).map(RecipientStatus::as_str).collect()
}

/// Returns the error codes of suppressed recipients that allow a repetition.
fn repeated_codes() -> Vec<&'static str> {
    let codes = Suppression::WORDS.iter().copied();
    codes.filter(|code| RecipientStatus::Suppressed.may_repeat(Some(code))).collect()
}

for_each_backend! {
    impl ChooseUnreached for Db {
        fn unreached(ws: DbId, of: Option<&UnreachedRecipients>) -> Chosen<Self> {
            let Some(of) = of else { return Box::new(true.into_sql::<Bool>()) };
            let (first, repeat, channel) = (DbId::from(of.first), DbId::from(of.repeat), DbId::from(of.channel));
            let always = statuses(|status| status.may_repeat(None));
            let by_code = RecipientStatus::Suppressed.as_str();
            let candidates: Vec<_> = always.iter().copied().chain([by_code]).collect();
            let missed = broadcast_recipients::table
                .filter(broadcast_recipients::workspace_id.eq_unindexed(ws))
                .filter(broadcast_recipients::broadcast_id.eq(first))
                .filter(broadcast_recipients::status.eq_any(candidates))
                .filter(
                    broadcast_recipients::status
                        .eq_any(always)
                        .or(broadcast_recipients::code.assume_not_null().eq_any(repeated_codes())),
                )
                .select(broadcast_recipients::contact_id);
            let reached = contact_identities::table
                .filter(contact_identities::workspace_id.eq(ws))
                .filter(contact_identities::channel_id.eq(channel))
                .filter(contact_identities::live.eq(true))
                .filter(contact_identities::opted_in.eq(true))
                .filter(contact_identities::contact_id.eq(contacts::id))
                .offset(0);
            let preventing: Vec<_> =
                statuses(|status| status.prevents_repeat(true)).into_iter().chain([DONE]).collect();
            let waiting = statuses(|status| status.prevents_repeat(false) && !status.prevents_repeat(true));
            let of_repeat = broadcast_recipients::workspace_id
                .eq(broadcasts::workspace_id)
                .and(broadcast_recipients::broadcast_id.eq(broadcasts::id));
            let repeated =
                broadcasts::table
                    .inner_join(broadcast_recipients::table.on(of_repeat))
                    .filter(broadcasts::workspace_id.eq_unindexed(ws))
                    .filter(broadcasts::repeats.eq(first))
                    .filter(broadcasts::id.ne(repeat))
                    .filter(broadcast_recipients::contact_id.eq(contacts::id))
                    .filter(broadcast_recipients::status.eq_any(preventing.clone()).or(
                        broadcast_recipients::status.eq_any(waiting.clone()).and(broadcasts::ended_at.is_null()),
                    ))
                    .offset(0);
            // Recipients that were merged into the contact count as this contact.
            let of_merged = broadcast_recipients::workspace_id
                .eq(contact_merges::workspace_id)
                .and(broadcast_recipients::contact_id.eq(contact_merges::contact_id));
            let got_as_other = contact_merges::table
                .inner_join(broadcast_recipients::table.on(of_merged))
                .filter(contact_merges::workspace_id.eq_unindexed(ws))
                .filter(contact_merges::into_id.eq(contacts::id))
                .filter(broadcast_recipients::broadcast_id.eq(first))
                .filter(broadcast_recipients::status.eq_any(preventing.clone()))
                .offset(0);
            let repeated_as_other = contact_merges::table
                .inner_join(broadcast_recipients::table.on(of_merged))
                .inner_join(broadcasts::table.on(of_repeat))
                .filter(contact_merges::workspace_id.eq_unindexed(ws))
                .filter(contact_merges::into_id.eq(contacts::id))
                .filter(broadcasts::repeats.eq(first))
                .filter(broadcasts::id.ne(repeat))
                .filter(
                    broadcast_recipients::status
                        .eq_any(preventing)
                        .or(broadcast_recipients::status.eq_any(waiting).and(broadcasts::ended_at.is_null())),
                )
                .offset(0);
            Box::new(
                contacts::subscribed
                    .eq(true)
                    .and(contacts::status.eq(ContactStatus::Active.as_str()))
                    .and(contacts::id.eq_any(missed))
                    .and(exists(reached))
                    .and(not(exists(repeated)))
                    .and(not(exists(got_as_other)))
                    .and(not(exists(repeated_as_other))),
            )
        }
    }
}
