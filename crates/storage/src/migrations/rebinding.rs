//! Binding of conditions that an earlier release stored without bindings. It runs after the migrations, in batches, and
//! can be interrupted. Words are bound by the references recorded with the conditions, or else by name.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use diesel::prelude::*;
use tidings_domain::conditions::{BoundCondition, Mentions, Vocabulary};
use tidings_domain::fields::{BotField, CustomField};
use tidings_domain::flows::{bind_definition, mentions_of};
use tidings_domain::ids::{BotFieldId, FieldId, TagId};
use tidings_domain::tags::Tag;
use tidings_domain::text::fold;

use crate::connection::faults::Fault;
use crate::connection::{Connection, execute, find, load};
use crate::contacts::fields::{BotFieldRow, FieldRow};
use crate::contacts::tags::TagRow;
use crate::queries::rows::{json, to_bindings, to_json};
use crate::queries::types::{DbId, DbTime};
use crate::schema::{
    bot_fields, broadcasts, bulk_operations, custom_fields, flow_versions, flows, object_references, secrets, segments,
    sequences, tags,
};

/// Maximum number of conditions of each kind in a batch.
const PORTION: i64 = 200;
/// Maximum number of drafts and versions of flows in a batch: they can be long.
const FLOWS: i64 = 20;

struct Unbound {
    workspace: DbId,
    id: DbId,
    written: String,
}

/// The tables with stored conditions.
#[derive(Clone, Copy)]
enum ConditionTable {
    Segments,
    Broadcasts,
    Sequences,
    Operations,
}

impl ConditionTable {
    const ALL: [Self; 4] = [Self::Segments, Self::Broadcasts, Self::Sequences, Self::Operations];

    /// Returns the type of the owner of recorded references.
    fn owner(self) -> Option<&'static str> {
        match self {
            Self::Segments => Some("segment"),
            Self::Broadcasts => Some("broadcast"),
            Self::Sequences => Some("sequence"),
            // The condition of a running operation belongs to its filter or to the filter's segment.
            Self::Operations => None,
        }
    }

    /// Returns a batch of rows without bindings: workspace, ID and condition.
    async fn unbound(self, c: &mut Connection<'_>) -> Result<Vec<(DbId, DbId, Option<String>)>, Fault> {
        match self {
            Self::Segments => load!(
                c,
                segments::table
                    .filter(segments::bindings.is_null())
                    .filter(segments::condition.is_not_null())
                    .order((segments::workspace_id.asc(), segments::id.asc()))
                    .limit(PORTION)
                    .select((segments::workspace_id, segments::id, segments::condition.nullable()))
            ),
            Self::Broadcasts => load!(
                c,
                broadcasts::table
                    .filter(broadcasts::bindings.is_null())
                    .filter(broadcasts::audience.is_not_null())
                    .order((broadcasts::workspace_id.asc(), broadcasts::id.asc()))
                    .limit(PORTION)
                    .select((broadcasts::workspace_id, broadcasts::id, broadcasts::audience.nullable()))
            ),
            Self::Sequences => load!(
                c,
                sequences::table
                    .filter(sequences::bindings.is_null())
                    .filter(sequences::exit_when.is_not_null())
                    .order((sequences::workspace_id.asc(), sequences::id.asc()))
                    .limit(PORTION)
                    .select((sequences::workspace_id, sequences::id, sequences::exit_when.nullable()))
            ),
            Self::Operations => load!(
                c,
                bulk_operations::table
                    .filter(bulk_operations::bindings.is_null())
                    .filter(bulk_operations::condition.is_not_null())
                    .order((bulk_operations::workspace_id.asc(), bulk_operations::id.asc()))
                    .limit(PORTION)
                    .select((
                        bulk_operations::workspace_id,
                        bulk_operations::id,
                        bulk_operations::condition.nullable()
                    ))
            ),
        }
    }

    /// Stores the bindings of a row, unless a concurrent process that wrote the row also bound it.
    async fn store(self, c: &mut Connection<'_>, row: (DbId, DbId), bindings: Option<String>) -> Result<(), Fault> {
        let stored = match self {
            Self::Segments => {
                let target = segments::table.find(row).filter(segments::bindings.is_null());
                execute!(c, diesel::update(target).set(segments::bindings.eq(bindings)))
            }
            Self::Broadcasts => {
                let target = broadcasts::table.find(row).filter(broadcasts::bindings.is_null());
                execute!(c, diesel::update(target).set(broadcasts::bindings.eq(bindings)))
            }
            Self::Sequences => {
                let target = sequences::table.find(row).filter(sequences::bindings.is_null());
                execute!(c, diesel::update(target).set(sequences::bindings.eq(bindings)))
            }
            Self::Operations => {
                let target = bulk_operations::table.find(row).filter(bulk_operations::bindings.is_null());
                execute!(c, diesel::update(target).set(bulk_operations::bindings.eq(bindings)))
            }
        };
        stored.map(|_| ())
    }
}

/// Binds a batch of the conditions of each table. Returns false if there were none.
pub(crate) async fn catch_up(c: &mut Connection<'_>) -> Result<bool, Fault> {
    let mut found = 0;
    for table in ConditionTable::ALL {
        found += bind_conditions(c, table).await?;
    }
    found += bind_drafts(c).await?;
    found += bind_versions(c).await?;
    Ok(found > 0)
}

/// Binds a batch of the conditions in a table. Returns the number of rows found.
async fn bind_conditions(c: &mut Connection<'_>, table: ConditionTable) -> Result<usize, Fault> {
    let rows = table.unbound(c).await?;
    let found = rows.len();
    for (workspace, id, written) in rows {
        let it = Unbound { workspace, id, written: written.unwrap_or_default() };
        let bindings = bind(c, table.owner(), &it).await?;
        table.store(c, (workspace, id), bindings).await?;
    }
    Ok(found)
}

/// Binds drafts of flows. Words of the published version keep their meaning.
async fn bind_drafts(c: &mut Connection<'_>) -> Result<usize, Fault> {
    let rows: Vec<(DbId, DbId, Option<i64>, String)> = load!(
        c,
        flows::table
            .filter(flows::bindings.is_null())
            .order((flows::workspace_id.asc(), flows::id.asc()))
            .limit(FLOWS)
            .select((flows::workspace_id, flows::id, flows::version_published, flows::definition))
    )?;
    let found = rows.len();
    for (ws, flow, published, definition) in rows {
        let tags: Option<String> = match published {
            Some(number) => find!(c, flow_versions::table.find((ws, flow, number)).select(flow_versions::tags))?,
            None => None,
        };
        let bindings = bind_flow(c, (ws, flow), &definition, tags.as_deref().unwrap_or("{}")).await?;
        let target = flows::table.find((ws, flow)).filter(flows::bindings.is_null());
        execute!(c, diesel::update(target).set(flows::bindings.eq(bindings)))?;
    }
    Ok(found)
}

/// Binds published versions. Their tags are known, and their fields are bound by the recorded references.
async fn bind_versions(c: &mut Connection<'_>) -> Result<usize, Fault> {
    let rows: Vec<(DbId, DbId, i64, String, String)> = load!(
        c,
        flow_versions::table
            .filter(flow_versions::bindings.is_null())
            .order((flow_versions::workspace_id.asc(), flow_versions::flow_id.asc(), flow_versions::number.asc()))
            .limit(FLOWS)
            .select((
                flow_versions::workspace_id,
                flow_versions::flow_id,
                flow_versions::number,
                flow_versions::definition,
                flow_versions::tags,
            ))
    )?;
    let found = rows.len();
    for (ws, flow, number, definition, tags) in rows {
        let bindings = bind_flow(c, (ws, flow), &definition, &tags).await?;
        let target = flow_versions::table.find((ws, flow, number)).filter(flow_versions::bindings.is_null());
        execute!(c, diesel::update(target).set(flow_versions::bindings.eq(bindings)))?;
    }
    Ok(found)
}

async fn bind_flow(
    c: &mut Connection<'_>,
    (workspace, id): (DbId, DbId),
    definition: &str,
    tags: &str,
) -> Result<String, Fault> {
    let written: serde_json::Value = json(definition, "the definition of a flow")?;
    let tags: BTreeMap<String, TagId> = json(tags, "a flow version's tags")?;
    let recorded = recorded(c, "flow", &Unbound { workspace, id, written: String::new() }).await?;
    let lost_field = recorded.lost_field;
    // Words that are no tags of the version mean the objects with that name now.
    let recorded = Recorded { tags: Vec::new(), deleted: Vec::new(), ..recorded };
    let vocabulary = vocabulary(c, workspace, &mentions_of(&written), &recorded).await?;
    let named: Vec<(String, DbId)> =
        load!(c, secrets::table.filter(secrets::workspace_id.eq(workspace)).select((secrets::name, secrets::id)))?;
    let named = named.into_iter().map(|(name, id)| (name, id.to_typed_id())).collect();
    to_json(&bind_definition(&written, &vocabulary.with_vars().with_event(), &named, &tags, lost_field))
}

/// Returns the encoded bindings of a condition, or `None` for an audience that is a segment.
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
    /// A custom field that was deleted by force.
    lost_field: Option<FieldId>,
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
            "tag" => recorded.tags.push(id.to_typed_id()),
            "custom_field" if lost_at.is_some() => {
                recorded.lost_field = Some(id.to_typed_id());
                add(&mut recorded.fields, id.to_typed_id(), true);
            }
            "custom_field" => add(&mut recorded.fields, id.to_typed_id(), lost_at.is_some()),
            "bot_field" => add(&mut recorded.bot_fields, id.to_typed_id(), lost_at.is_some()),
            _ => {}
        }
    }
    Ok(recorded)
}

/// Records a field that was not deleted by force. Also marks that fields were recorded.
fn add<T>(recorded: &mut Option<Vec<T>>, id: T, is_lost: bool) {
    let recorded = recorded.get_or_insert_default();
    if !is_lost {
        recorded.push(id);
    }
}

/// Returns the objects that the words of a condition may refer to.
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
