use std::collections::HashMap;

use super::*;
use crate::signing::signature::sign;
use crate::signing::vectors::{self, BODY, ID, TIMESTAMP};

fn at(seconds: i64) -> i64 {
    seconds
}

/// The headers of a delivery signed with secret A only.
fn signed() -> HashMap<&'static str, String> {
    let signatures = sign(&[vectors::secret_a()], ID, TIMESTAMP, BODY.as_bytes());
    HashMap::from([
        (WEBHOOK_ID, ID.to_owned()),
        (WEBHOOK_TIMESTAMP, TIMESTAMP.to_string()),
        (WEBHOOK_SIGNATURE, signatures.standard),
        (SERVICE_SIGNATURE, signatures.service),
    ])
}

fn check(headers: &HashMap<&'static str, String>, body: &[u8], now: i64) -> Result<(), VerifyError> {
    verify(&vectors::secret_a(), |name| headers.get(name).map(String::as_str), body, at(now))
}

fn without(name: &str) -> HashMap<&'static str, String> {
    let mut headers = signed();
    headers.remove(name).unwrap();
    headers
}

fn with(name: &'static str, value: impl Into<String>) -> HashMap<&'static str, String> {
    let mut headers = signed();
    headers.insert(name, value.into());
    headers
}

#[test]
fn accepts_either_signature_or_both() {
    for headers in [signed(), without(SERVICE_SIGNATURE), without(WEBHOOK_SIGNATURE)] {
        assert_eq!(check(&headers, BODY.as_bytes(), TIMESTAMP), Ok(()));
    }
}

#[test]
fn verifies_the_published_vectors_with_either_secret() {
    let mut headers = with(SERVICE_SIGNATURE, vectors::SERVICE_SIGNATURE);
    headers.insert(WEBHOOK_SIGNATURE, vectors::STANDARD_SIGNATURE.to_owned());
    for secret in [vectors::secret_a(), vectors::secret_b()] {
        let header = |name: &str| headers.get(name).map(String::as_str);
        assert_eq!(verify(&secret, header, BODY.as_bytes(), at(TIMESTAMP)), Ok(()));
    }
    let headers = signed();
    let header = |name: &str| headers.get(name).map(String::as_str);
    let other = verify(&vectors::secret_b(), header, BODY.as_bytes(), at(TIMESTAMP));
    assert_eq!(other, Err(VerifyError::Mismatch(SERVICE_SIGNATURE)));
}

#[test]
fn accepts_timestamps_within_five_minutes() {
    for (headers, now, expected) in [
        (signed(), TIMESTAMP + 300, Ok(())),
        (signed(), TIMESTAMP - 300, Ok(())),
        (without(SERVICE_SIGNATURE), TIMESTAMP + 301, Err(VerifyError::TooOld)),
        (without(WEBHOOK_SIGNATURE), TIMESTAMP + 301, Err(VerifyError::TooOld)),
        (without(SERVICE_SIGNATURE), TIMESTAMP - 301, Err(VerifyError::FromTheFuture)),
        (without(WEBHOOK_SIGNATURE), TIMESTAMP - 301, Err(VerifyError::FromTheFuture)),
    ] {
        assert_eq!(check(&headers, BODY.as_bytes(), now), expected, "{now}");
    }
}

#[test]
fn each_defect_has_its_error() {
    let unsigned = HashMap::from([(WEBHOOK_ID, ID.to_owned())]);
    let service = |value: &str| with(SERVICE_SIGNATURE, value);
    let standard = |value: &str| with(WEBHOOK_SIGNATURE, value);
    let hex = signed()[SERVICE_SIGNATURE].split_once("v1=").unwrap().1.to_owned();
    for (headers, expected) in [
        (unsigned, VerifyError::Unsigned),
        (without(WEBHOOK_ID), VerifyError::Missing(WEBHOOK_ID)),
        (without(WEBHOOK_TIMESTAMP), VerifyError::Missing(WEBHOOK_TIMESTAMP)),
        (with(WEBHOOK_TIMESTAMP, "soon"), VerifyError::Malformed(WEBHOOK_TIMESTAMP)),
        (with(WEBHOOK_TIMESTAMP, "+1767225600"), VerifyError::Malformed(WEBHOOK_TIMESTAMP)),
        (with(WEBHOOK_TIMESTAMP, "9".repeat(30)), VerifyError::Malformed(WEBHOOK_TIMESTAMP)),
        (with(WEBHOOK_TIMESTAMP, ""), VerifyError::Malformed(WEBHOOK_TIMESTAMP)),
        (with(WEBHOOK_ID, "evt_other"), VerifyError::Mismatch(WEBHOOK_SIGNATURE)),
        (service(""), VerifyError::Malformed(SERVICE_SIGNATURE)),
        (service(&format!("v1={hex}")), VerifyError::Malformed(SERVICE_SIGNATURE)),
        (service(&format!("t=1767225600,t=1767225600,v1={hex}")), VerifyError::Malformed(SERVICE_SIGNATURE)),
        (service(&format!("t=1767225600,v1={}", hex.to_uppercase())), VerifyError::Malformed(SERVICE_SIGNATURE)),
        (service(&format!("t=1767225600,v1={}", &hex[..63])), VerifyError::Malformed(SERVICE_SIGNATURE)),
        (service(&format!("t=1767225600,v1={}", &hex[..62])), VerifyError::Mismatch(SERVICE_SIGNATURE)),
        (service(&format!("t=1767225601,v1={hex}")), VerifyError::Mismatch(SERVICE_SIGNATURE)),
        (service(&format!("t=1767225600,v0={hex}")), VerifyError::Mismatch(SERVICE_SIGNATURE)),
        (service("t=1767225600,v1="), VerifyError::Mismatch(SERVICE_SIGNATURE)),
        (service("t=1767225600"), VerifyError::Mismatch(SERVICE_SIGNATURE)),
        (standard(""), VerifyError::Malformed(WEBHOOK_SIGNATURE)),
        (standard("v1,?"), VerifyError::Malformed(WEBHOOK_SIGNATURE)),
        (standard("v1,"), VerifyError::Mismatch(WEBHOOK_SIGNATURE)),
        (standard("v1a,KI4Ovn9LFF1Xr/iLqKQxZylmREqfjdkAKqcv8KYNWyA="), VerifyError::Mismatch(WEBHOOK_SIGNATURE)),
    ] {
        assert_eq!(check(&headers, BODY.as_bytes(), TIMESTAMP), Err(expected), "{headers:?}");
    }
}

#[test]
fn ignores_unknown_signature_versions() {
    let headers = signed();
    let service = format!("{},v2=later", headers[SERVICE_SIGNATURE]);
    let standard = format!("v1a,later {}", headers[WEBHOOK_SIGNATURE]);
    assert_eq!(check(&with(SERVICE_SIGNATURE, service), BODY.as_bytes(), TIMESTAMP), Ok(()));
    assert_eq!(check(&with(WEBHOOK_SIGNATURE, standard), BODY.as_bytes(), TIMESTAMP), Ok(()));
}

#[test]
fn rejects_more_signatures_than_it_compares() {
    let (service, standard) = (signed()[SERVICE_SIGNATURE].clone(), signed()[WEBHOOK_SIGNATURE].clone());
    let wrong = |count: usize| (",v1=00".repeat(count), "v1, ".repeat(count));
    let (more, before) = wrong(MAX_SIGNATURES - 1);
    assert_eq!(check(&with(SERVICE_SIGNATURE, format!("{service}{more}")), BODY.as_bytes(), TIMESTAMP), Ok(()));
    assert_eq!(check(&with(WEBHOOK_SIGNATURE, format!("{before}{standard}")), BODY.as_bytes(), TIMESTAMP), Ok(()));
    let (more, before) = wrong(MAX_SIGNATURES);
    for (name, value) in
        [(SERVICE_SIGNATURE, format!("{service}{more}")), (WEBHOOK_SIGNATURE, format!("{before}{standard}"))]
    {
        let refused = check(&with(name, value), BODY.as_bytes(), TIMESTAMP);
        assert_eq!(refused, Err(VerifyError::Malformed(name)));
    }
}

/// A linear congruential generator (Knuth, MMIX): the same flips on every run.
struct Flips(u64);

impl Flips {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }
}

#[test]
fn rejects_requests_with_a_flipped_bit() {
    let genuine = signed();
    let body = BODY.as_bytes();
    let mut flips = Flips(20_260_101);
    for round in 0..10_000 {
        // Each signature is tested alone, so a match of one cannot hide a failure of the other.
        let by_standard = flips.below(2) == 0;
        let alone = if by_standard { without(SERVICE_SIGNATURE) } else { without(WEBHOOK_SIGNATURE) };
        assert_eq!(check(&alone, body, TIMESTAMP), Ok(()));
        let targets: &[Option<&'static str>] = if by_standard {
            &[None, Some(WEBHOOK_SIGNATURE), Some(WEBHOOK_ID), Some(WEBHOOK_TIMESTAMP)]
        } else {
            &[None, Some(SERVICE_SIGNATURE)]
        };
        let refused = match targets[flips.below(targets.len())] {
            None => {
                let mut changed = body.to_vec();
                changed[flips.below(body.len())] ^= 1 << flips.below(8);
                check(&alone, &changed, TIMESTAMP)
            }
            Some(name) => {
                // Seven bits, because a header value that reaches the verification is ASCII text.
                let mut changed = genuine[name].clone().into_bytes();
                let place = flips.below(changed.len());
                changed[place] ^= 1 << flips.below(7);
                let mut headers = alone;
                headers.insert(name, String::from_utf8(changed).unwrap());
                check(&headers, body, TIMESTAMP)
            }
        };
        assert!(refused.is_err(), "round {round}");
    }
}
