-- Requests of providers that the connector did not understand: the newest of each channel, for some days.
CREATE TABLE unparsed_requests (
    workspace_id blob NOT NULL,
    id blob NOT NULL,
    channel_id blob NOT NULL,
    received_at integer NOT NULL,
    reason text NOT NULL,
    size integer NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (workspace_id, id)
) STRICT;
CREATE INDEX unparsed_requests_of_channel_idx ON unparsed_requests (channel_id, received_at, id);
CREATE INDEX unparsed_requests_received_idx ON unparsed_requests (received_at);
CREATE INDEX unparsed_requests_received_list ON unparsed_requests (workspace_id, received_at, id);
