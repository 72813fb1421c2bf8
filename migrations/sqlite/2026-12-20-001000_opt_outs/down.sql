DROP TABLE opt_outs;
DROP TABLE opt_out_keys;
