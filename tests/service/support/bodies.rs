//! Request bodies at the limit of an inbound address, and bodies that contain no message.

/// Maximum size of a request to the inbound address of a provider, in bytes.
pub const LARGEST: usize = 3 * 1024 * 1024;

/// Returns a JSON text with this length. Spaces follow the text.
pub fn padded(json: &str, length: usize) -> Vec<u8> {
    let mut body = json.as_bytes().to_vec();
    body.resize(length, b' ');
    body
}

/// Bodies that no provider sends: nested deeply, cut off, and with bytes that are not UTF-8.
pub fn without_message() -> [Vec<u8>; 3] {
    [
        b"[".repeat(1_000_000),
        br#"{"update_id": 7, "entry": [{"changes": "#.to_vec(),
        b"{\"update_id\": 7, \"entry\": [\"\xff\xfe\"]}".to_vec(),
    ]
}
