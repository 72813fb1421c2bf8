//! Conditions that an earlier release stored without bindings. After the migrations they are bound, in portions, so that it
//! may be interrupted: by the references that were recorded with them, otherwise by name.

#[cfg(test)]
mod tests;

use diesel::prelude::*;
use tidings_domain::conditions::{BoundCondition, Mentions, Vocabulary};
use tidings_domain::fields::{BotField, CustomField};
use tidings_domain::ids::{BotFieldId, FieldId, TagId};
use tidings_domain::tags::Tag;
use tidings_domain::text::fold;

use crate::connection::{Connection, execute, find, load};
use crate::faults::Fault;
use crate::fields::{BotFieldRow, FieldRow};
use crate::rows::{json, to_bindings};
use crate::schema::{
    bot_fields, broadcasts, bulk_operations, custom_fields, object_references, segments, sequences, tags,
};
use crate::tags::TagRow;
use crate::types::{DbId, DbTime};

/// How many conditions of each kind are bound at once.
const PORTION: i64 = 200;

/// A condition without bindings.
struct Unbound {
    workspace: DbId,
    id: DbId,
    written: String,
}

/// Binds a portion of the conditions in a column of a table; how many there were.
macro_rules! bind_portion {
    ($c:expr, $table:ident, $column:expr, $owner:expr) => {{
        let rows: Vec<(DbId, DbId, Option<String>)> = load!(
            $c,
            $table::table
                .filter($table::bindings.is_null())
                .filter($column.is_not_null())
                .order(($table::workspace_id.asc(), $table::id.asc()))
                .limit(PORTION)
                .select(($table::workspace_id, $table::id, $column.nullable()))
        )?;
        let found = rows.len();
        for (workspace, id, written) in rows {
            let it = Unbound { workspace, id, written: written.unwrap_or_default() };
            let bindings = bind($c, $owner, &it).await?;
            // A process that writes the row meanwhile binds it, too.
            let target = $table::table.find((workspace, id)).filter($table::bindings.is_null());
            execute!($c, diesel::update(target).set($table::bindings.eq(bindings)))?;
        }
        found
    }};
}

/// Binds at most a portion of the conditions of each table; whether there were any.
pub(crate) async fn catch_up(c: &mut Connection<'_>) -> Result<bool, Fault> {
    let segments = bind_portion!(c, segments, segments::condition, Some("segment"));
    let broadcasts = bind_portion!(c, broadcasts, broadcasts::audience, Some("broadcast"));
    let sequences = bind_portion!(c, sequences, sequences::exit_when, Some("sequence"));
    // The condition of an operation under way is that of its filter, or that of the filter's segment.
    let operations = bind_portion!(c, bulk_operations, bulk_operations::condition, None);
    Ok(segments + broadcasts + sequences + operations > 0)
}

/// The bindings of a condition, as they are stored. An audience that is a segment has none.
async fn bind(c: &mut Connection<'_>, owner: Option<&str>, it: &Unbound) -> Result<Option<String>, Fault> {
    let written: serde_json::Value = json(&it.written, "a stored condition")?;
    let recorded = match owner {
        Some(owner) => recorded(c, owner, it).await?,
        None => Recorded::default(),
    };
    let vocabulary = vocabulary(c, it.workspace, &Mentions::of([&written]), &recorded).await?;
    to_bindings(&BoundCondition::rebind(written, &vocabulary, &recorded.tags, &recorded.deleted))
}

/// The references that were recorded with a condition.
#[derive(Default)]
struct Recorded {
    tags: Vec<TagId>,
    /// The names of tags that were deleted by force.
    deleted: Vec<String>,
    /// The custom fields that still exist; `None` if none were recorded.
    fields: Option<Vec<FieldId>>,
    /// The bot fields that still exist; `None` if none were recorded.
    bot_fields: Option<Vec<BotFieldId>>,
}

async fn recorded(c: &mut Connection<'_>, owner: &str, it: &Unbound) -> Result<Recorded, Fault> {
    let rows: Vec<(String, DbId, Option<String>, Option<DbTime>)> = load!(
        c,
        object_references::table
            .filter(object_references::workspace_id.eq(it.workspace))
            .filter(object_references::owner_kind.eq(owner.to_owned()))
            .filter(object_references::owner_id.eq(it.id))
            .select((
                object_references::target_kind,
                object_references::target_id,
                object_references::lost_name,
                object_references::lost_at,
            ))
    )?;
    let mut recorded = Recorded::default();
    for (kind, id, name, lost_at) in rows {
        match kind.as_str() {
            "tag" if lost_at.is_some() => recorded.deleted.extend(name),
            "tag" => recorded.tags.push(id.typed()),
            "custom_field" => add(&mut recorded.fields, id.typed(), lost_at.is_some()),
            "bot_field" => add(&mut recorded.bot_fields, id.typed(), lost_at.is_some()),
            _ => {}
        }
    }
    Ok(recorded)
}

/// Notes that a field was recorded, and which one, unless it was deleted by force.
fn add<T>(recorded: &mut Option<Vec<T>>, id: T, is_lost: bool) {
    let recorded = recorded.get_or_insert_default();
    if !is_lost {
        recorded.push(id);
    }
}

/// The objects that the words of a condition may mean.
async fn vocabulary(
    c: &mut Connection<'_>,
    ws: DbId,
    mentions: &Mentions,
    recorded: &Recorded,
) -> Result<Vocabulary, Fault> {
    let fields: Vec<FieldRow> =
        load!(c, custom_fields::table.filter(custom_fields::workspace_id.eq(ws)).select(FieldRow::as_select()))?;
    let fields = fields.into_iter().map(FieldRow::read).collect::<Result<Vec<CustomField>, _>>()?;
    let fields = fields.into_iter().filter(|it| recorded.fields.as_ref().is_none_or(|them| them.contains(&it.id)));
    let of_bot: Vec<BotFieldRow> =
        load!(c, bot_fields::table.filter(bot_fields::workspace_id.eq(ws)).select(BotFieldRow::as_select()))?;
    let of_bot = of_bot.into_iter().map(BotFieldRow::read).collect::<Result<Vec<BotField>, _>>()?;
    let of_bot = of_bot.into_iter().filter(|it| recorded.bot_fields.as_ref().is_none_or(|them| them.contains(&it.id)));
    let by_name = recorded.tags.is_empty() && recorded.deleted.is_empty();
    let mut found: Vec<Tag> = Vec::new();
    for word in mentions.tags.iter().filter(|_| by_name) {
        let row: Option<TagRow> = match word.parse::<TagId>() {
            Ok(id) => find!(c, tags::table.find((ws, DbId::from(id))).select(TagRow::as_select()))?,
            Err(_) => find!(
                c,
                tags::table
                    .filter(tags::workspace_id.eq(ws))
                    .filter(tags::name_key.eq(fold(word)))
                    .select(TagRow::as_select())
            )?,
        };
        found.extend(row.map(|row| row.read(0)));
    }
    for tag in &recorded.tags {
        let row: Option<TagRow> = find!(c, tags::table.find((ws, DbId::from(*tag))).select(TagRow::as_select()))?;
        found.extend(row.map(|row| row.read(0)));
    }
    Ok(Vocabulary::new(fields, of_bot, found))
}
