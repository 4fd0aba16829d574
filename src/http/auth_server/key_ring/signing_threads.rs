use std::thread;

use super::signing_key_snapshot::TokenSigner;
use crate::crypto::{SigningError, sign_with_header};
use crate::domain::SigningAlgorithm;
use crate::oauth::AccessTokenClaims;
use crate::thread_pool::ThreadPool;

/// Maximum number of threads, on any number of processors.
const MAX_THREADS: usize = 8;

type Signed = Result<(String, AccessTokenClaims), SigningError>;

/// Signs access tokens without blocking the runtime.
///
/// An RS256 signature takes a good part of a millisecond, so it runs on a dedicated thread pool. An
/// ES256 signature takes less time than a switch to another thread and runs in place.
pub(in crate::http::auth_server) struct SigningThreads(ThreadPool);

impl Default for SigningThreads {
    /// One thread per processor, up to [`MAX_THREADS`].
    fn default() -> Self {
        Self(ThreadPool::new(
            "lyceum-signing",
            thread::available_parallelism()
                .map_or(1, usize::from)
                .min(MAX_THREADS),
        ))
    }
}

impl SigningThreads {
    /// Signs a token with these claims, and returns both.
    pub(in crate::http::auth_server) async fn sign(
        &self,
        signer: TokenSigner,
        claims: AccessTokenClaims,
    ) -> Signed {
        let is_quick = signer.signer.algorithm() == SigningAlgorithm::Es256;
        let sign = move || {
            sign_with_header(&signer.header, &*signer.signer, &claims).map(|token| (token, claims))
        };
        // The pool returns no result if the signer panicked.
        if is_quick {
            sign()
        } else {
            self.0.run(sign).await.unwrap_or(Err(SigningError::Refused))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::{self, Receiver};
    use std::time::Duration;

    use jsonwebtoken::jwk::Jwk;

    use super::*;
    use crate::crypto::{
        ACCESS_TOKEN_TYPE, MasterKey, Signer, SystemEntropy, TokenHeader, generate_signing_key,
        open_signing_key,
    };
    use crate::domain::{ClientId, KeyId, ScopeSet, Timestamp};
    use crate::oauth::{AccessTokenParameters, TokenSubject};

    /// A signer that records the thread on which it signs, and panics if `panics` is set.
    #[derive(Debug)]
    struct RecordingSigner {
        inner: Arc<dyn Signer>,
        threads: mpsc::Sender<String>,
        panics: bool,
    }

    impl Signer for RecordingSigner {
        fn key_id(&self) -> &KeyId {
            self.inner.key_id()
        }

        fn algorithm(&self) -> SigningAlgorithm {
            self.inner.algorithm()
        }

        fn sign(&self, message: &[u8]) -> Result<Vec<u8>, SigningError> {
            self.threads
                .send(thread::current().name().unwrap_or_default().to_owned())
                .unwrap();
            assert!(!self.panics, "a planted panic");
            self.inner.sign(message)
        }

        fn public_jwk(&self) -> &Jwk {
            self.inner.public_jwk()
        }
    }

    fn signer(algorithm: SigningAlgorithm, panics: bool) -> (TokenSigner, Receiver<String>) {
        let master = MasterKey::from_bytes([7; 32]);
        let inner = open_signing_key(
            &generate_signing_key(
                algorithm,
                1,
                Timestamp::from_seconds(0),
                &SystemEntropy,
                &master,
            )
            .unwrap(),
            &master,
        )
        .unwrap();
        let (threads, thread_names) = mpsc::channel();
        let header = TokenHeader::new(&*inner, ACCESS_TOKEN_TYPE).unwrap();
        (
            TokenSigner {
                signer: Arc::new(RecordingSigner {
                    inner,
                    threads,
                    panics,
                }),
                header,
            },
            thread_names,
        )
    }

    fn claims(signer: &TokenSigner) -> AccessTokenClaims {
        AccessTokenClaims::new(AccessTokenParameters {
            issuer: "https://auth.school.example",
            token_subject: TokenSubject::Client,
            client: ClientId::from_random([1; 16]),
            scopes: &ScopeSet::parse("service:self_read").unwrap(),
            key: signer.signer.key_id(),
            random: [3; 16],
            issued_at: Timestamp::from_seconds(0),
            lifetime: Duration::from_secs(60),
        })
    }

    #[tokio::test]
    async fn a_slow_signature_is_made_on_a_thread_of_its_own_and_a_quick_one_at_once() {
        let threads = SigningThreads::default();
        for (algorithm, is_elsewhere) in [
            (SigningAlgorithm::Rs256, true),
            (SigningAlgorithm::Es256, false),
        ] {
            let (signer, thread_names) = signer(algorithm, false);
            let claims = claims(&signer);
            threads.sign(signer, claims).await.unwrap();
            assert_eq!(
                thread_names.recv().unwrap() == "lyceum-signing",
                is_elsewhere,
                "{algorithm:?}"
            );
        }
    }

    #[tokio::test]
    async fn a_signer_that_panics_fails_its_own_request_and_no_other() {
        let threads = SigningThreads::default();
        for panics in [true, false] {
            let (signer, _told) = signer(SigningAlgorithm::Rs256, panics);
            for _ in 0..=MAX_THREADS {
                let signer = TokenSigner {
                    signer: Arc::clone(&signer.signer),
                    header: signer.header.clone(),
                };
                let claims = claims(&signer);
                assert_eq!(threads.sign(signer, claims).await.is_err(), panics);
            }
        }
    }
}
