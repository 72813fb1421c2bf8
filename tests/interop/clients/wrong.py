"""Each ignored line is an error for pyright. An ignored line without an error fails the check."""

from tidings import Event, Tidings, verify


def wrong(tidings: Tidings, event: Event) -> None:
    tidings.contacts.create({"first_nam": "Lin"})  # pyright: ignore[reportArgumentType]
    tidings.contacts.get("lin")["emial"]  # pyright: ignore[reportGeneralTypeIssues]
    tidings.contacts.list(tags=["vip"])  # pyright: ignore[reportCallIssue]
    tidings.contacts.patch("lin", {}, if_version="3")  # pyright: ignore[reportArgumentType]
    tidings.tags.list(if_version=3)  # pyright: ignore[reportCallIssue]
    verify(b"", {}, "")["kind"]  # pyright: ignore[reportGeneralTypeIssues]
    if event["type"] == "contact.tag_added":
        name: str = event["data"]["tag"]["name"]
        event["data"]["field"]  # pyright: ignore[reportGeneralTypeIssues]
        print(name)
