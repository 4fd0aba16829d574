use argon2::password_hash::{
    Error, Output, ParamsString, PasswordHash as PhcHash, Salt, SaltString,
};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use zeroize::Zeroize;

use crate::domain::{Password, PasswordHash};

/// The working memory of argon2: 19 MiB at the default cost.
///
/// Each hashing thread has one and reuses it for every password. glibc keeps memory that is
/// allocated for each hash in the arena of the thread that freed it, so that a process would grow
/// with its threads and never shrink.
///
/// The blocks are derived from a password, and are overwritten with zeros after each use.
#[derive(Default)]
pub(super) struct Argon2Memory {
    blocks: Vec<Block>,
}

impl Argon2Memory {
    /// Hashes a password, in the PHC string format.
    pub(super) fn hash(
        &mut self,
        argon2: &Argon2<'_>,
        password: &Password,
        salt: [u8; 16],
    ) -> Result<PasswordHash, Error> {
        let encoded = SaltString::encode_b64(&salt)?;
        let mut output = [0; Params::DEFAULT_OUTPUT_LEN];
        self.fill(argon2, password, &salt, &mut output)?;
        let hash = PhcHash {
            algorithm: Algorithm::Argon2id.ident(),
            version: Some(Version::V0x13.into()),
            params: ParamsString::try_from(argon2.params())?,
            salt: Some(encoded.as_salt()),
            hash: Some(Output::new(&output)?),
        };
        Ok(PasswordHash::from_phc(hash.to_string()))
    }

    /// Whether a hash of any cost matches the password. The comparison takes constant time.
    pub(super) fn verify(&mut self, password: &Password, hash: &PhcHash<'_>) -> bool {
        self.output(password, hash)
            .is_ok_and(|output| hash.hash == Some(output))
    }

    /// Frees memory that only a hash of a higher cost than that of `argon2` needs.
    pub(super) fn shrink_to(&mut self, argon2: &Argon2<'_>) {
        let needed = argon2.params().block_count();
        if self.blocks.len() > needed {
            self.blocks.truncate(needed);
            self.blocks.shrink_to_fit();
        }
    }

    /// Hashes the password with the salt and parameters of an existing hash.
    fn output(&mut self, password: &Password, hash: &PhcHash<'_>) -> Result<Output, Error> {
        let version = hash
            .version
            .map_or(Ok(Version::default()), Version::try_from)?;
        let argon2 = Argon2::new(
            Algorithm::try_from(hash.algorithm)?,
            version,
            Params::try_from(hash)?,
        );
        let mut salt = [0; Salt::MAX_LENGTH];
        let salt = hash.salt.ok_or(Error::Password)?.decode_b64(&mut salt)?;
        let length = hash
            .hash
            .map_or(Params::DEFAULT_OUTPUT_LEN, |output| output.len());
        Output::init_with(length, |output| {
            Ok(self.fill(&argon2, password, salt, output)?)
        })
    }

    fn fill(
        &mut self,
        argon2: &Argon2<'_>,
        password: &Password,
        salt: &[u8],
        output: &mut [u8],
    ) -> Result<(), argon2::Error> {
        let needed = argon2.params().block_count();
        if self.blocks.len() < needed {
            // Freed before the new allocation, so that the two do not coexist.
            self.blocks = Vec::new();
            self.blocks = vec![Block::default(); needed];
        }
        let filled = argon2.hash_password_into_with_memory(
            password.expose().as_bytes(),
            salt,
            output,
            &mut self.blocks,
        );
        self.blocks
            .iter_mut()
            .take(needed)
            .for_each(Zeroize::zeroize);
        filled
    }
}

#[cfg(test)]
mod tests {
    use argon2::password_hash::{PasswordHasher, PasswordVerifier};

    use super::*;

    fn argon2id(memory_kib: u32, lanes: u32) -> Argon2<'static> {
        Argon2::new(
            Algorithm::Argon2id,
            Version::V0x13,
            Params::new(memory_kib, 2, lanes, None).unwrap(),
        )
    }

    fn password(text: &str) -> Password {
        Password::new(text).unwrap()
    }

    #[test]
    fn memory_that_was_used_before_makes_and_checks_the_same_hashes_as_argon2_itself() {
        let mut memory = Argon2Memory::default();
        for (memory_kib, lanes) in [(64, 1), (8, 1), (32, 4), (64, 1)] {
            let (argon2, salt) = (argon2id(memory_kib, lanes), [7; 16]);
            let ours = memory
                .hash(&argon2, &password("correct horse"), salt)
                .unwrap();
            let encoded = SaltString::encode_b64(&salt).unwrap();
            let theirs = argon2
                .hash_password(b"correct horse", &encoded)
                .unwrap()
                .to_string();
            assert_eq!(ours.as_phc(), theirs);
            let parsed = PhcHash::new(&theirs).unwrap();
            assert!(
                memory.verify(&password("correct horse"), &parsed)
                    && !memory.verify(&password("Correct horse"), &parsed)
            );
            assert!(
                argon2
                    .verify_password(b"correct horse", &PhcHash::new(ours.as_phc()).unwrap())
                    .is_ok()
            );
        }
    }

    #[test]
    fn hashes_of_other_kinds_and_damaged_ones_are_checked_as_by_argon2_itself() {
        let (mut memory, argon2) = (Argon2Memory::default(), argon2id(8, 1));
        let intact = memory
            .hash(&argon2, &password("right"), [1; 16])
            .unwrap()
            .as_phc()
            .to_owned();
        let argon2d = Argon2::new(
            Algorithm::Argon2d,
            Version::V0x10,
            Params::new(8, 1, 1, Some(16)).unwrap(),
        );
        let other = argon2d
            .hash_password(b"right", &SaltString::encode_b64(&[2; 16]).unwrap())
            .unwrap()
            .to_string();
        let without_output = intact.rsplit_once('$').unwrap().0;
        for (phc, is_right) in [
            (&*intact, true),
            (&*other, true),
            (without_output, false),
            ("$argon2id$v=19$m=8,t=1,p=1", false),
        ] {
            let hash = PhcHash::new(phc).unwrap();
            assert_eq!(memory.verify(&password("right"), &hash), is_right, "{phc}");
            assert_eq!(
                argon2.verify_password(b"right", &hash).is_ok(),
                is_right,
                "{phc}"
            );
            assert!(!memory.verify(&password("wrong"), &hash), "{phc}");
        }
    }

    #[test]
    fn nothing_of_a_password_stays_in_memory_and_a_large_hash_gives_its_memory_back() {
        let mut memory = Argon2Memory::default();
        memory
            .hash(&argon2id(64, 1), &password("right"), [1; 16])
            .unwrap();
        assert!(
            memory
                .blocks
                .iter()
                .all(|block| AsRef::<[u64]>::as_ref(block).iter().all(|word| *word == 0))
        );
        memory.shrink_to(&argon2id(8, 1));
        assert_eq!((memory.blocks.len(), memory.blocks.capacity()), (8, 8));
        memory.shrink_to(&argon2id(64, 1));
        assert_eq!(memory.blocks.len(), 8);
    }
}
