//! Segments of text messages, by which providers charge.

use serde::{Deserialize, Serialize};

use crate::words::words;

words! {
    /// Encoding of a text message.
    SegmentEncoding {
        /// GSM-7: 160 characters in a single segment.
        Gsm7 = "gsm7",
        /// UCS-2: 70 characters in a single segment.
        Ucs2 = "ucs2",
    }
}

/// The segments of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Segments {
    /// The encoding.
    pub encoding: SegmentEncoding,
    /// The number of segments.
    pub count: usize,
}
