ALTER TABLE conversations DROP COLUMN opt_out_confirmed_at;
