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

/// Tests that a value is present and passes. The result is never `NULL`.
macro_rules! is_known_true {
    ($column:expr, $test:expr) => {
        $column.is_not_null().and($test).assume_not_null()
    };
}

/// Tests that a value lies in a range. Each end may be included or excluded.
macro_rules! within {
    ($column:expr, $ends:expr) => {{
        let ((from, from_included), (to, to_included)) = $ends;
        $column
            .ge(from.clone())
            .and($column.ne(from).or(from_included.into_sql::<Bool>()))
            .and($column.le(to.clone()))
            .and($column.ne(to).or(to_included.into_sql::<Bool>()))
    }};
}

/// Compiles a question about a folded text or another key that sorts byte by byte. `$wrap` adapts the result to its
/// place.
macro_rules! text_question {
    ($wrap:ident, $column:expr, $question:expr) => {
        match $question {
            Question::Present => $wrap!($column.is_not_null()),
            Question::OneOf(wanted) => $wrap!(is_known_true!($column, $column.eq_any(keys(wanted)))),
            Question::Within(range) => $wrap!(is_known_true!($column, within!($column, key_ends(range)))),
            Question::Contains(part) => {
                $wrap!(is_known_true!($column, $column.like(format!("%{}%", literal(part))).escape('\\')))
            }
            Question::StartsWith(part) => {
                $wrap!(is_known_true!($column, $column.like(format!("{}%", literal(part))).escape('\\')))
            }
        }
    };
}

macro_rules! time_question {
    ($wrap:ident, $column:expr, $question:expr) => {
        match $question {
            Question::Present => $wrap!($column.is_not_null()),
            Question::OneOf(wanted) => $wrap!(is_known_true!($column, $column.eq_any(instants(wanted)))),
            Question::Within(range) => $wrap!(is_known_true!($column, within!($column, time_ends(range)))),
            Question::Contains(_) | Question::StartsWith(_) => never(),
        }
    };
}

/// Compiles a question about an integer column that is never null.
macro_rules! whole_question {
    ($wrap:ident, $column:expr, $question:expr) => {
        match $question {
            Question::Present => $wrap!($column.is_not_null()),
            Question::OneOf(wanted) => {
                $wrap!($column.eq_any(wanted.iter().filter_map(Operand::whole).collect::<Vec<i64>>()))
            }
            Question::Within(range) => match range.wholes() {
                Some((first, last)) => $wrap!($column.between(first, last)),
                None => never(),
            },
            Question::Contains(_) | Question::StartsWith(_) => never(),
        }
    };
}

macro_rules! id_question {
    ($wrap:ident, $column:expr, $question:expr) => {
        match $question {
            Question::Present => $wrap!($column.is_not_null()),
            Question::OneOf(wanted) => $wrap!(is_known_true!($column, $column.eq_any(ids(wanted)))),
            _ => never(),
        }
    };
}

/// Prevents SQLite from turning a subquery into a join. A join would read all values of a range for each contact.
macro_rules! subquery {
    (postgres, $query:expr) => {
        $query
    };
    (sqlite, $query:expr) => {
        $query.offset(0)
    };
}

macro_rules! compiler {
    ($module:ident, $db:ty) => {
        mod $module {
            use super::*;

            type Db = $db;

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
                macro_rules! plain {
                    ($test:expr) => {
                        Box::new($test) as Chosen<Db>
                    };
                }
                use ContactAttribute as A;
                match attribute {
                    A::Id => id_question!(plain, contacts::id.nullable(), question),
                    A::ExternalId => text_question!(plain, contacts::external_id_folded, question),
                    A::FirstName => text_question!(plain, contacts::first_name_folded, question),
                    A::LastName => text_question!(plain, contacts::last_name_folded, question),
                    A::Name => text_question!(plain, contacts::name_folded, question),
                    A::Email => text_question!(plain, contacts::email_folded, question),
                    // Phone numbers are a plus and digits, which folding does not change.
                    A::Phone => text_question!(plain, contacts::phone, question),
                    A::Locale => text_question!(plain, contacts::locale_folded, question),
                    A::TimeZone => text_question!(plain, contacts::time_zone_folded, question),
                    A::AvatarUrl => match question {
                        Question::Present => plain!(contacts::avatar_url.is_not_null()),
                        Question::OneOf(_) | Question::Within(_) | Question::Contains(_) | Question::StartsWith(_) => {
                            never()
                        }
                    },
                    A::Status => text_question!(plain, contacts::status.nullable(), question),
                    A::Subscribed => match question {
                        Question::Present => plain!(contacts::subscribed.is_not_null()),
                        Question::OneOf(wanted) => plain!(contacts::subscribed.eq_any(booleans(wanted))),
                        Question::Within(_) | Question::Contains(_) | Question::StartsWith(_) => never(),
                    },
                    A::LastMessageAt => time_question!(plain, contacts::last_message_at, question),
                    A::CreatedAt => time_question!(plain, contacts::created_at.nullable(), question),
                    A::UpdatedAt => time_question!(plain, contacts::updated_at.nullable(), question),
                }
            }

            fn on_conversation(ws: DbId, attribute: ConversationAttribute, question: &Question) -> Chosen<Db> {
                let base = conversations::table
                    .filter(conversations::workspace_id.eq_unindexed(ws))
                    .filter(conversations::contact_id.eq(contacts::id));
                macro_rules! some {
                    ($test:expr) => {
                        Box::new(exists(subquery!($module, base.filter($test)))) as Chosen<Db>
                    };
                }
                use ConversationAttribute as A;
                match attribute {
                    A::Id => id_question!(some, conversations::id.nullable(), question),
                    A::ChannelId => id_question!(some, conversations::channel_id.nullable(), question),
                    A::Status => text_question!(some, conversations::status.nullable(), question),
                    A::Handler => text_question!(some, conversations::handler.nullable(), question),
                    A::AssigneeId => id_question!(some, conversations::assignee_id, question),
                    A::UnreadCount => whole_question!(some, conversations::unread_count, question),
                    A::ReopenCount => whole_question!(some, conversations::reopen_count, question),
                    A::SnoozedUntil => time_question!(some, conversations::snoozed_until, question),
                    A::WaitingSince => time_question!(some, conversations::waiting_since, question),
                    A::FirstReplyAt => time_question!(some, conversations::first_reply_at, question),
                    A::ResolvedAt => time_question!(some, conversations::resolved_at, question),
                    A::LastMessageAt => time_question!(some, conversations::last_message_at, question),
                    A::CreatedAt => time_question!(some, conversations::created_at.nullable(), question),
                    A::UpdatedAt => time_question!(some, conversations::updated_at.nullable(), question),
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
                macro_rules! some {
                    ($test:expr) => {
                        Box::new(exists(subquery!($module, base.filter($test)))) as Chosen<Db>
                    };
                }
                let whole = || coalesce(contact_values::long_text, contact_values::match_key);
                match (kind, question) {
                    (FieldKind::MultiSelect, Question::Present) => {
                        some!(contact_values::elements.ne(empty_list_key()))
                    }
                    (FieldKind::MultiSelect, Question::OneOf(wanted)) => any(keys(wanted).into_iter().map(|option| {
                        let pattern = format!("%{}%", literal(&element_key(&option)));
                        some!(contact_values::elements.like(pattern).escape('\\'))
                    })),
                    (FieldKind::MultiSelect, _) => never(),
                    // The index contains only the beginning of a text, and two texts may share it.
                    (_, Question::OneOf(wanted)) => {
                        let (wholes, cut) =
                            (keys(wanted), keys(wanted).iter().map(|key| cut_key(key)).collect::<Vec<_>>());
                        some!(contact_values::match_key.eq_any(cut).and(whole().eq_any(wholes)))
                    }
                    (_, Question::Contains(_) | Question::StartsWith(_)) => text_question!(some, whole(), question),
                    (_, Question::Present | Question::Within(_)) => {
                        text_question!(some, contact_values::match_key, question)
                    }
                }
            }
        }
    };
}

compiler!(postgres, diesel::pg::Pg);
compiler!(sqlite, diesel::sqlite::Sqlite);

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

fn instants(wanted: &[Operand]) -> Vec<DbTime> {
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

/// Returns both ends as instants. An open end is the first or last instant.
fn time_ends(range: &Range) -> ((DbTime, bool), (DbTime, bool)) {
    let end = |end: &Option<(Operand, bool)>, open: i64| match end {
        Some((Operand::Instant(at), included)) => (DbTime(*at), *included),
        _ => (DbTime(Timestamp::from_millis(open)), true),
    };
    (end(&range.from, i64::MIN), end(&range.to, i64::MAX))
}
