DROP TABLE analytics_counters;
DROP TABLE analytics_facts;
