DROP TABLE saved_replies;
