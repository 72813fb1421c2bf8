//! Conditions as SQL: one source for both databases. Values are always bound.
//!
//! Each question becomes an expression that is true or false and never `NULL`: `NOT` is the exact opposite. Texts are
//! folded and compared byte by byte; see [`crate::conditions::folding`].

pub(crate) mod folding;
pub(crate) mod unindexed;

use diesel::dsl::{exists, not, sql};
use diesel::prelude::*;
use diesel::sql_types::{Bool, Nullable, Text};
use tidings_domain::conditions::{ContactAttribute, ConversationAttribute, Operand, Place, Question, Range, Selection};
use tidings_domain::fields::{FieldKind, cut_key, element_key, empty_list_key};
use tidings_domain::time::Timestamp;

use crate::queries::types::{DbId, DbTime};
use crate::schema::{contact_tags, contact_values, contacts, conversations};
use unindexed::UnindexedFilter;

diesel::define_sql_function! {
    fn coalesce(first: Nullable<Text>, second: Nullable<Text>) -> Nullable<Text>;
}

/// A condition that selects rows of contacts.
pub(crate) type Chosen<Db> = Box<dyn BoxableExpression<contacts::table, Db, SqlType = Bool>>;

pub(crate) trait Compile: diesel::backend::Backend {
    /// Selects contacts of a workspace. The rest of the query must filter contacts by workspace.
    fn chosen(ws: DbId, selection: &Selection) -> Chosen<Self>;
}

/// Compiles a question about a column. `$place` is the place of the column, see `placed!`. The last argument is `text`
/// for a folded text or another key that sorts byte by byte, and `whole` for an integer that is never null. Otherwise
/// `$values` returns the values of the question, and `$ends` both ends of its range, each with whether it is included.
macro_rules! question {
    ($place:ident, $column:expr, $question:expr, text) => {
        match like_pattern($question) {
            Some(like) => {
                placed!($place, $column.is_not_null().and($column.like(like).escape('\\')).assume_not_null())
            }
            None => question!($place, $column, $question, keys, key_ends),
        }
    };
    ($place:ident, $column:expr, $question:expr, whole) => {
        match $question {
            Question::Present => placed!($place, $column.is_not_null()),
            Question::OneOf(wanted) => {
                placed!($place, $column.eq_any(wanted.iter().filter_map(Operand::whole).collect::<Vec<i64>>()))
            }
            Question::Within(range) => match range.wholes() {
                Some((first, last)) => placed!($place, $column.between(first, last)),
                None => never(),
            },
            Question::Contains(_) | Question::StartsWith(_) => never(),
        }
    };
    ($place:ident, $column:expr, $question:expr, $values:ident $(, $ends:ident)?) => {
        match $question {
            Question::Present => placed!($place, $column.is_not_null()),
            Question::OneOf(wanted) => {
                placed!($place, $column.is_not_null().and($column.eq_any($values(wanted))).assume_not_null())
            }
            $(Question::Within(range) => {
                let ((from, from_included), (to, to_included)) = $ends(range);
                let within = $column
                    .ge(from.clone())
                    .and($column.ne(from).or(from_included.into_sql::<Bool>()))
                    .and($column.le(to.clone()))
                    .and($column.ne(to).or(to_included.into_sql::<Bool>()));
                placed!($place, $column.is_not_null().and(within).assume_not_null())
            })?
            _ => never(),
        }
    };
}

/// Implements [`Compile`] for a database. `$unjoined` prevents the database from turning a subquery into a join, which
/// would read all values of a range for each contact.
macro_rules! compiler {
    ($module:ident, $db:ty; $($unjoined:tt)*) => {
        mod $module {
            use super::*;

            type Db = $db;

            /// Converts a test to a condition on contacts. It is a test of the contact itself, or of the rows of
            /// `$base`, of which one must pass.
            macro_rules! placed {
                (contact, $test:expr) => {
                    Box::new($test) as Chosen<Db>
                };
                ($base:ident, $test:expr) => {
                    Box::new(exists($base.filter($test)$($unjoined)*)) as Chosen<Db>
                };
            }

            impl Compile for Db {
                fn chosen(ws: DbId, selection: &Selection) -> Chosen<Db> {
                    // A literal keeps the statement out of the caches, because every condition has a different text.
                    Box::new(sql::<Bool>("TRUE").and(part(ws, selection)))
                }
            }

            fn part(ws: DbId, selection: &Selection) -> Chosen<Db> {
                match selection {
                    Selection::Constant(it) => constant(*it),
                    Selection::All(parts) => {
                        let parts = parts.iter().map(|it| part(ws, it));
                        parts.reduce(|all, it| Box::new(all.and(it))).unwrap_or_else(|| constant(true))
                    }
                    Selection::Any(parts) => any(parts.iter().map(|it| part(ws, it))),
                    Selection::Not(inner) => Box::new(not(part(ws, inner))),
                    Selection::Holds(Place::Contact(attribute), question) => on_contact(*attribute, question),
                    Selection::Holds(Place::Tags, question) => tags(ws, question),
                    Selection::Holds(Place::Custom(field, kind), question) => {
                        custom(ws, DbId::from(*field), *kind, question)
                    }
                    Selection::Holds(Place::Conversation(attribute), question) => {
                        on_conversation(ws, *attribute, question)
                    }
                }
            }

            fn constant(it: bool) -> Chosen<Db> {
                Box::new(it.into_sql::<Bool>())
            }

            fn never() -> Chosen<Db> {
                constant(false)
            }

            fn any(parts: impl Iterator<Item = Chosen<Db>>) -> Chosen<Db> {
                parts.reduce(|any, it| Box::new(any.or(it))).unwrap_or_else(never)
            }

            fn on_contact(attribute: ContactAttribute, question: &Question) -> Chosen<Db> {
                use ContactAttribute as A;
                match attribute {
                    A::Id => question!(contact, contacts::id.nullable(), question, ids),
                    A::ExternalId => question!(contact, contacts::external_id_folded, question, text),
                    A::FirstName => question!(contact, contacts::first_name_folded, question, text),
                    A::LastName => question!(contact, contacts::last_name_folded, question, text),
                    A::Name => question!(contact, contacts::name_folded, question, text),
                    A::Email => question!(contact, contacts::email_folded, question, text),
                    // Phone numbers are a plus and digits, which folding does not change.
                    A::Phone => question!(contact, contacts::phone, question, text),
                    A::Locale => question!(contact, contacts::locale_folded, question, text),
                    A::TimeZone => question!(contact, contacts::time_zone_folded, question, text),
                    A::AvatarUrl => match question {
                        Question::Present => placed!(contact, contacts::avatar_url.is_not_null()),
                        Question::OneOf(_) | Question::Within(_) | Question::Contains(_) | Question::StartsWith(_) => {
                            never()
                        }
                    },
                    A::Status => question!(contact, contacts::status.nullable(), question, text),
                    A::Subscribed => match question {
                        Question::Present => placed!(contact, contacts::subscribed.is_not_null()),
                        Question::OneOf(wanted) => placed!(contact, contacts::subscribed.eq_any(booleans(wanted))),
                        Question::Within(_) | Question::Contains(_) | Question::StartsWith(_) => never(),
                    },
                    A::LastMessageAt => question!(contact, contacts::last_message_at, question, times, time_ends),
                    A::CreatedAt => question!(contact, contacts::created_at.nullable(), question, times, time_ends),
                    A::UpdatedAt => question!(contact, contacts::updated_at.nullable(), question, times, time_ends),
                }
            }

            fn on_conversation(ws: DbId, attribute: ConversationAttribute, question: &Question) -> Chosen<Db> {
                let base = conversations::table
                    .filter(conversations::workspace_id.eq_unindexed(ws))
                    .filter(conversations::contact_id.eq(contacts::id));
                use ConversationAttribute as A;
                match attribute {
                    A::Id => question!(base, conversations::id.nullable(), question, ids),
                    A::ChannelId => question!(base, conversations::channel_id.nullable(), question, ids),
                    A::Status => question!(base, conversations::status.nullable(), question, text),
                    A::Handler => question!(base, conversations::handler.nullable(), question, text),
                    A::AssigneeId => question!(base, conversations::assignee_id, question, ids),
                    A::UnreadCount => question!(base, conversations::unread_count, question, whole),
                    A::ReopenCount => question!(base, conversations::reopen_count, question, whole),
                    A::SnoozedUntil => question!(base, conversations::snoozed_until, question, times, time_ends),
                    A::WaitingSince => question!(base, conversations::waiting_since, question, times, time_ends),
                    A::FirstReplyAt => question!(base, conversations::first_reply_at, question, times, time_ends),
                    A::ResolvedAt => question!(base, conversations::resolved_at, question, times, time_ends),
                    A::LastMessageAt => question!(base, conversations::last_message_at, question, times, time_ends),
                    A::CreatedAt => question!(base, conversations::created_at.nullable(), question, times, time_ends),
                    A::UpdatedAt => question!(base, conversations::updated_at.nullable(), question, times, time_ends),
                }
            }

            fn tags(ws: DbId, question: &Question) -> Chosen<Db> {
                // The links of a deleted tag remain for a while and no longer count.
                let base = contact_tags::table
                    .inner_join(
                        crate::schema::tags::table.on(crate::schema::tags::workspace_id
                            .eq(contact_tags::workspace_id)
                            .and(crate::schema::tags::id.eq(contact_tags::tag_id))),
                    )
                    .filter(contact_tags::workspace_id.eq(ws))
                    .filter(contact_tags::contact_id.eq(contacts::id));
                match question {
                    Question::Present => Box::new(exists(base)),
                    Question::OneOf(wanted) => Box::new(exists(base.filter(contact_tags::tag_id.eq_any(ids(wanted))))),
                    _ => never(),
                }
            }

            fn custom(ws: DbId, field: DbId, kind: FieldKind, question: &Question) -> Chosen<Db> {
                let base = contact_values::table
                    .filter(contact_values::workspace_id.eq(ws))
                    .filter(contact_values::field_id.eq(field))
                    .filter(contact_values::contact_id.eq(contacts::id));
                let whole = || coalesce(contact_values::long_text, contact_values::match_key);
                match (kind, question) {
                    (FieldKind::MultiSelect, Question::Present) => {
                        placed!(base, contact_values::elements.ne(empty_list_key()))
                    }
                    (FieldKind::MultiSelect, Question::OneOf(wanted)) => any(keys(wanted).into_iter().map(|option| {
                        let pattern = format!("%{}%", literal(&element_key(&option)));
                        placed!(base, contact_values::elements.like(pattern).escape('\\'))
                    })),
                    (FieldKind::MultiSelect, _) => never(),
                    // The index contains only the beginning of a text, and two texts may share it.
                    (_, Question::OneOf(wanted)) => {
                        let (wholes, cut) =
                            (keys(wanted), keys(wanted).iter().map(|key| cut_key(key)).collect::<Vec<_>>());
                        placed!(base, contact_values::match_key.eq_any(cut).and(whole().eq_any(wholes)))
                    }
                    (_, Question::Contains(_) | Question::StartsWith(_)) => question!(base, whole(), question, text),
                    (_, Question::Present | Question::Within(_)) => {
                        question!(base, contact_values::match_key, question, text)
                    }
                }
            }
        }
    };
}

compiler!(postgres, diesel::pg::Pg;);
compiler!(sqlite, diesel::sqlite::Sqlite; .offset(0));

/// Returns the LIKE pattern of a question about a part of a text.
fn like_pattern(question: &Question) -> Option<String> {
    match question {
        Question::Contains(part) => Some(format!("%{}%", literal(part))),
        Question::StartsWith(part) => Some(format!("{}%", literal(part))),
        Question::Present | Question::OneOf(_) | Question::Within(_) => None,
    }
}

/// Escapes a text for use in a LIKE pattern.
pub(crate) fn literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            literal.push('\\');
        }
        literal.push(c);
    }
    literal
}

fn keys(wanted: &[Operand]) -> Vec<String> {
    wanted.iter().map(Operand::key).collect()
}

fn times(wanted: &[Operand]) -> Vec<DbTime> {
    wanted.iter().filter_map(|it| if let Operand::Instant(at) = it { Some(DbTime(*at)) } else { None }).collect()
}

fn ids(wanted: &[Operand]) -> Vec<DbId> {
    wanted.iter().filter_map(|it| if let Operand::Id(id) = it { Some(DbId(*id)) } else { None }).collect()
}

fn booleans(wanted: &[Operand]) -> Vec<bool> {
    wanted.iter().filter_map(|it| if let Operand::Boolean(it) = it { Some(*it) } else { None }).collect()
}

/// Returns both ends as keys. An open end lies beyond all keys.
fn key_ends(range: &Range) -> ((String, bool), (String, bool)) {
    let end = |end: &Option<(Operand, bool)>, open: &str| {
        end.as_ref().map_or((open.to_owned(), true), |(end, included)| (end.key(), *included))
    };
    (end(&range.from, ""), end(&range.to, "\u{10ffff}"))
}

/// Returns both ends as times. An open end is the first or last instant.
fn time_ends(range: &Range) -> ((DbTime, bool), (DbTime, bool)) {
    let end = |end: &Option<(Operand, bool)>, open: i64| match end {
        Some((Operand::Instant(at), included)) => (DbTime(*at), *included),
        _ => (DbTime(Timestamp::from_millis(open)), true),
    };
    (end(&range.from, i64::MIN), end(&range.to, i64::MAX))
}
