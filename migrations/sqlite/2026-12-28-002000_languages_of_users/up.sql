-- The language of the panel: `en` or `de`. Null: the language of the browser.
ALTER TABLE users ADD COLUMN language text;
