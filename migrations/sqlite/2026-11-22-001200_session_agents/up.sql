-- The browser or program that began the session, as it names itself. Users recognise their sessions by it.

ALTER TABLE sessions ADD COLUMN user_agent text;
