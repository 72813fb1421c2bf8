//! The command line: its definition, and wrong usage.

use clap::CommandFactory;

use super::*;

#[test]
fn defines_a_valid_command_line() {
    Cli::command().debug_assert();
}

#[test]
fn rejects_wrong_usage_with_exit_code_2() {
    for line in [
        "tidings",
        "tidings serve --role everything",
        "tidings workspace create",
        "tidings workspace create --name  ",
        "tidings workspace create --name A --plan gold",
        "tidings key create --workspace W --name N",
        "tidings key create --workspace W --name N --scope admin",
        "tidings key revoke --workspace W tag_01h455vb4pex5vsknk084sn02q",
        "tidings key rotate --workspace W --overlap P8D key_01h455vb4pex5vsknk084sn02q",
        "tidings user create --email nobody --workspace W --role owner",
        "tidings user create --email ada@example.com --workspace W --role king",
        "tidings user create --email ada@example.com --workspace W --role owner --password x",
        "tidings listen --port 70000",
        "tidings mail-in --url http://127.0.0.1/inbound/x",
        "tidings migrate --plan --before-rollout",
        "tidings backup",
        "tidings outbound",
        "tidings jobs retry key_01h455vb4pex5vsknk084sn02q",
        "tidings outbound hold --reason  ",
    ] {
        let error = Cli::try_parse_from(line.split(' ')).unwrap_err();
        assert_eq!(error.exit_code(), 2, "{line}");
    }
}
