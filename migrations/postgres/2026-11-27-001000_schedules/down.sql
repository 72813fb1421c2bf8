DROP TABLE flow_recipients;
DROP TABLE flow_schedules;
