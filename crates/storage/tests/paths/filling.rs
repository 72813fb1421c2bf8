//! The rows that fill the tables, and the planner's statistics.

use tidings_storage_suite::databases::PostgresDatabase;

/// The growing tables, with the columns that must be unique. The other columns are copied from the seed's row. IDs are
/// numbered, because other rows refer to them.
const GROWING: [(&str, &str); 15] = [
    (
        "contacts",
        "'id', $id(1), 'external_id', 'x' || n, 'email', 'x' || n || '@example.com', 'phone', '+1' || n, \
      'first_name', 'Ada ' || n, 'name_key', 'ada ' || n, \
      'sort_key', '\\x01' || lpad(to_hex(n), 8, '0'), 'created_at', $at",
    ),
    ("contact_identities", "'contact_id', $id(1), 'address', 'x' || n"),
    ("contact_tags", "'contact_id', $id(1), 'tag_id', $id(2)"),
    ("contact_values", "'contact_id', $id(1), 'field_id', $id(3)"),
    (
        "conversations",
        "'id', $id(4), 'contact_id', $id(1), 'created_at', $at, 'status', 'resolved', 'assignee_id', $id(5)",
    ),
    (
        "messages",
        "'id', $id(6), 'conversation_id', $id(4), 'contact_id', $id(1), 'provider_message_id', 'x' || n, \
      'created_at', $at, 'direction', 'outbound', 'status', 'sent'",
    ),
    ("flow_runs", "'id', $id(7), 'contact_id', $id(1), 'started_at', $at, 'cause_id', $id(8), 'node', 'n' || n % 50"),
    ("flow_recipients", "'contact_id', $id(1)"),
    ("enrollments", "'id', $id(9), 'contact_id', $id(1), 'started_at', $at"),
    ("events", "'id', $id(10), 'position', 100 + n, 'at', $at, 'recorded_at', $at"),
    (
        "deliveries",
        "'id', $id(11), 'event_id', $id(10), 'webhook_id', $id(12), 'created_at', $at, \
      'queue', CASE n % 3 WHEN 0 THEN 1 WHEN 1 THEN 3 END, 'queued_for', '00000000-0000-0000-0000-0000000000ff', \
      'next_attempt_at', now() + interval '1 hour' + n * interval '1 second', 'leased_until', NULL",
    ),
    ("opt_outs", "'digest', '\\x' || lpad(to_hex(n), 64, '0')"),
    ("delivery_attempts", "'delivery_id', $id(11)"),
    ("idempotency_keys", "'key', 'x' || n, 'created_at', $at"),
    (
        "audit_log",
        "'id', $id(13), 'at', $at, 'day', 20000 - n / 100, 'actor', 'user_' || n, 'action', 'webhook.paused', \
      'object_type', 'webhook', 'object_id', 'hook_' || n",
    ),
];

/// Inserts jobs of all pools. Most of them are due in the future, some are claimed.
const JOBS: &str = "INSERT INTO jobs SELECT made.* FROM (SELECT * FROM jobs LIMIT 1) t, generate_series($from, $to) n, \
    LATERAL (VALUES ('work', 'step_run', NULL::uuid), ('sends', 'send_message', NULL), \
    ('deliveries', 'attempt_delivery', '00000000-0000-0000-0000-0000000000ff'::uuid)) p (pool, kind, group_id), \
    LATERAL jsonb_populate_record(NULL::jobs, to_jsonb(t) || jsonb_build_object('id', gen_random_uuid(), 'pool', p.pool, \
    'kind', p.kind, 'group_id', p.group_id, 'lane', CASE WHEN p.pool = 'sends' THEN gen_random_uuid() END, \
    'due_at', now() + interval '1 hour' + n * interval '1 second', 'claimed', false)) made \
    WHERE p.pool = (ARRAY['work', 'sends', 'deliveries'])[1 + n % 3]";

pub async fn fill(database: &PostgresDatabase, from: u32, to: u32) {
    let mut statements = vec!["SET session_replication_role = replica".to_owned()];
    for (table, own) in GROWING {
        let own = own.replace("$at", "timestamptz '2026-01-01Z' - n * interval '1 second'");
        let own = own.replace("$id(", "pg_temp.id(n, ");
        statements.push(format!(
            "INSERT INTO {table} SELECT made.* FROM (SELECT * FROM {table} ORDER BY 1, 2 LIMIT 1) t, \
             generate_series({from}, {to}) n, \
             LATERAL jsonb_populate_record(NULL::{table}, to_jsonb(t) || jsonb_build_object({own})) made"
        ));
    }
    statements.push(JOBS.replace("$from", &from.to_string()).replace("$to", &to.to_string()));
    let id = "CREATE OR REPLACE FUNCTION pg_temp.id(n integer, kind integer) RETURNS uuid LANGUAGE sql IMMUTABLE AS \
              $$ SELECT (lpad(to_hex(kind), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid $$";
    database.execute(&format!("{id}; {}", statements.join("; "))).await;
}

#[derive(Debug, Clone, Copy)]
pub enum Believed {
    /// No statistics: the tables were never analyzed.
    Nothing,
    /// The small number of rows at the last ANALYZE.
    Few,
    /// One row in the whole file: the table was almost emptied, and the file did not shrink.
    OneOfMany,
    Truth,
}

impl Believed {
    pub const ALL: [Self; 4] = [Self::Few, Self::Nothing, Self::OneOfMany, Self::Truth];

    pub fn told(self) -> &'static str {
        match self {
            // Keeps the result of the last ANALYZE.
            Self::Few => "SELECT 1",
            Self::Nothing => {
                "DELETE FROM pg_statistic s USING pg_class c WHERE c.oid = s.starelid \
                 AND c.relnamespace = 'public'::regnamespace; \
                 UPDATE pg_class SET reltuples = -1, relpages = 0 WHERE relnamespace = 'public'::regnamespace \
                 AND relkind IN ('r', 'i')"
            }
            Self::OneOfMany => {
                "UPDATE pg_class SET reltuples = 1, relpages = greatest(1, pg_relation_size(oid) / 8192) \
                 WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i')"
            }
            Self::Truth => "ANALYZE",
        }
    }
}
