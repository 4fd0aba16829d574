//! RSA keys at the limits of the accepted sizes. Their primes are near round numbers, so the keys
//! are not secret.

use rsa::BigUint;
use rsa::pkcs1::der::Encode;
use rsa::pkcs1::{RsaPrivateKey, UintRef};

/// A key with the primes 3·2^(p_bits−2) + p_offset and 7·2^(q_bits−3) + q_offset.
pub(super) struct SizedKey {
    p_bits: usize,
    p_offset: u32,
    q_bits: usize,
    q_offset: u32,
}

const fn key(p_bits: usize, p_offset: u32, q_bits: usize, q_offset: u32) -> SizedKey {
    SizedKey {
        p_bits,
        p_offset,
        q_bits,
        q_offset,
    }
}

/// Keys of 2047, 2048, 4096, 4097, 8192 and 8193 bits.
pub(super) const KEYS: [SizedKey; 6] = [
    key(1024, 1037, 1023, 1327),
    key(1024, 1037, 1024, 309),
    key(2048, 439, 2048, 263),
    key(2049, 115, 2048, 263),
    key(4096, 3389, 4096, 135),
    key(4097, 3913, 4096, 135),
];

impl SizedKey {
    pub(super) const fn bits(&self) -> usize {
        self.p_bits + self.q_bits
    }

    /// The private key in PKCS #1 (RFC 8017, appendix A.1.2).
    pub(super) fn pkcs1(&self) -> Vec<u8> {
        let one = BigUint::from(1_u32);
        let p = (BigUint::from(3_u32) << (self.p_bits - 2)) + self.p_offset;
        let q = (BigUint::from(7_u32) << (self.q_bits - 3)) + self.q_offset;
        let (n, e) = (&p * &q, BigUint::from(65_537_u32));
        assert_eq!(n.bits(), self.bits());
        let (below_p, below_q) = (&p - &one, &q - &one);
        let d = inverse(&e, &(&below_p * &below_q));
        let numbers = [
            &n,
            &e,
            &d,
            &p,
            &q,
            &(&d % below_p),
            &(&d % below_q),
            &inverse(&(&q % &p), &p),
        ]
        .map(BigUint::to_bytes_be);
        let [
            modulus,
            public_exponent,
            private_exponent,
            prime1,
            prime2,
            exponent1,
            exponent2,
            coefficient,
        ] = numbers
            .each_ref()
            .map(|number| UintRef::new(number).unwrap());
        let key = RsaPrivateKey {
            modulus,
            public_exponent,
            private_exponent,
            prime1,
            prime2,
            exponent1,
            exponent2,
            coefficient,
            other_prime_infos: None,
        };
        key.to_der().unwrap()
    }
}

/// The modular inverse by the extended Euclidean algorithm.
fn inverse(number: &BigUint, modulus: &BigUint) -> BigUint {
    let zero = BigUint::from(0_u32);
    let (mut rest, mut next_rest) = (modulus.clone(), number.clone());
    let (mut factor, mut next_factor) = (zero.clone(), BigUint::from(1_u32));
    while next_rest != zero {
        let quotient = &rest / &next_rest;
        let following = (factor + modulus - &quotient * &next_factor % modulus) % modulus;
        (factor, next_factor) = (next_factor, following);
        let following = rest - quotient * &next_rest;
        (rest, next_rest) = (next_rest, following);
    }
    factor
}
