DROP TABLE custom_events;
