use std::fmt::Debug;

use async_trait::async_trait;
use zxcvbn::{Score, zxcvbn};

use super::hashing::PasswordHashing;
use crate::domain::{Email, Password, ShortText, fold_case};
use crate::http::login::worker_pool::QueueFull;

/// Number of characters of a password that are estimated. An estimate takes more than linear time,
/// and longer passwords are not guessed.
const MAX_ESTIMATED_CHARACTERS: usize = 40;

/// Number of different signs of a password that are tried as letters, such as `@` for `a`.
const MAX_LEET_SIGNS: usize = 3;

/// Number of digits and signs around a word that are stripped: a year and two signs.
const MAX_DECORATION: usize = 6;

/// Policy for new passwords, of new accounts and at password changes. Existing passwords stay
/// valid.
///
/// [`StandardPasswordPolicy`] is the default;
/// [`AccountsBuilder::password_policy`](super::AccountsBuilder::password_policy) sets another one,
/// which may call the standard one first:
///
/// ```
/// use lyceum::http::auth_server::{
///     NewPassword, PasswordPolicy, PasswordPolicyError, StandardPasswordPolicy,
/// };
///
/// /// Also refuses passwords that were found in leaks.
/// #[derive(Debug)]
/// struct NotLeaked;
///
/// # async fn is_leaked(_: &str) -> bool { false }
/// #[async_trait::async_trait]
/// impl PasswordPolicy for NotLeaked {
///     async fn check(&self, new: &NewPassword<'_>) -> Result<(), PasswordPolicyError> {
///         StandardPasswordPolicy.check(new).await?;
///         if is_leaked(new.password.expose()).await {
///             return Err(PasswordPolicyError::NotAllowed);
///         }
///         Ok(())
///     }
/// }
/// ```
#[async_trait]
pub trait PasswordPolicy: Debug + Send + Sync + 'static {
    /// Checks a password for an account. A policy that calls another service decides itself what to
    /// do when it is unavailable.
    ///
    /// # Errors
    /// When the account may not have this password.
    async fn check(&self, new: &NewPassword<'_>) -> Result<(), PasswordPolicyError>;
}

/// A new password for an account.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct NewPassword<'a> {
    /// The password.
    pub password: &'a Password,
    /// The e-mail address of the account.
    pub email: &'a Email,
    /// The known names of the school and the service.
    pub names: &'a [ShortText],
    /// The threads that run the estimate, so that it does not block the runtime; if `None`, the
    /// caller runs it.
    threads: Option<&'a PasswordHashing>,
}

impl<'a> NewPassword<'a> {
    /// Creates a password for the account with this e-mail address.
    pub const fn new(password: &'a Password, email: &'a Email, names: &'a [ShortText]) -> Self {
        Self {
            password,
            email,
            names,
            threads: None,
        }
    }

    /// Runs the estimate on these threads.
    pub(super) const fn estimated_on(self, threads: &'a PasswordHashing) -> Self {
        Self {
            threads: Some(threads),
            ..self
        }
    }
}

/// Violation of the policy for new passwords.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PasswordPolicyError {
    /// The password is too short.
    TooShort {
        /// Minimum number of characters.
        at_least: usize,
    },
    /// The password is the e-mail address of the account, or its part before the `@`.
    IsEmail,
    /// The password is the name of the school or the service.
    IsName,
    /// The password is a common one, or close enough to one to be guessed quickly.
    TooCommon,
    /// The password violates a rule of the host.
    NotAllowed,
    /// The password was not checked, because the queue of the hashing threads is full.
    Busy,
}

/// The default policy.
///
/// A password needs at least [`MIN_CHARACTERS`](Self::MIN_CHARACTERS) characters. It must not be
/// the e-mail address, the part before the `@`, or a name of the school or service, regardless of
/// case, spaces and punctuation. It must not be a common password, or one with a year, a few digits
/// or other signs: fewer than a million guesses by the estimate of `zxcvbn`, or fewer than a
/// thousand for the part between up to six digits and signs.
///
/// The estimate takes milliseconds. For [`Accounts`](super::Accounts) it runs on the hashing
/// threads, also when a host's policy calls this one with the [`NewPassword`] that it received.
#[derive(Debug, Clone, Copy, Default)]
pub struct StandardPasswordPolicy;

impl StandardPasswordPolicy {
    /// Minimum number of characters, in canonical composition (NFC), so that a Hangul syllable
    /// counts as one however it is typed.
    pub const MIN_CHARACTERS: usize = 10;
}

#[async_trait]
impl PasswordPolicy for StandardPasswordPolicy {
    async fn check(&self, new: &NewPassword<'_>) -> Result<(), PasswordPolicyError> {
        if new.password.characters() < Self::MIN_CHARACTERS {
            return Err(PasswordPolicyError::TooShort {
                at_least: Self::MIN_CHARACTERS,
            });
        }
        let (password, email) = (letters(new.password.expose()), new.email.as_str());
        let local = email.split('@').next().unwrap_or_default();
        if [email, local].iter().any(|part| letters(part) == password) {
            return Err(PasswordPolicyError::IsEmail);
        }
        let names: Vec<String> = new
            .names
            .iter()
            .map(|name| letters(name))
            .filter(|name| !name.is_empty())
            .collect();
        if names.contains(&password) {
            return Err(PasswordPolicyError::IsName);
        }
        // Data that an attacker knows about the account is guessed as early as common passwords.
        let known: Vec<String> = names
            .into_iter()
            .chain([letters(email), letters(local)])
            .collect();
        let password = new.password.clone();
        let estimate = move || is_common(password.expose(), &known);
        let is_common = match new.threads {
            Some(threads) => threads
                .estimate(estimate)
                .await
                .map_err(|QueueFull| PasswordPolicyError::Busy)?,
            None => estimate(),
        };
        if is_common {
            Err(PasswordPolicyError::TooCommon)
        } else {
            Ok(())
        }
    }
}

/// Whether the password is easy to guess: as it is, or as one of the most common words with digits
/// and signs around it. Such decorations add little, because most users choose the same ones. What
/// remains of a random password is not a common word.
fn is_common(password: &str, known: &[String]) -> bool {
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let score = |text: &str| zxcvbn(&estimated(text), &known).score();
    score(password) < Score::Two
        || undecorated(password).is_some_and(|word| score(word) == Score::Zero)
}

/// The password without the digits and signs around it, or `None` if there are too many of them.
fn undecorated(password: &str) -> Option<&str> {
    let word = password.trim_matches(|character: char| !character.is_alphabetic());
    (password.chars().count() - word.chars().count() <= MAX_DECORATION).then_some(word)
}

/// The part of a password that is estimated. Each sign that may stand for a letter multiplies the
/// work, so all after the first few are replaced by a neutral sign.
fn estimated(password: &str) -> String {
    const FOR_LETTERS: &str = "@({[<!|$+%";
    let mut seen = Vec::new();
    let character = |character: char| {
        if !FOR_LETTERS.contains(character) || seen.contains(&character) {
            return character;
        }
        if seen.len() == MAX_LEET_SIGNS {
            return '~';
        }
        seen.push(character);
        character
    };
    password
        .chars()
        .take(MAX_ESTIMATED_CHARACTERS)
        .map(character)
        .collect()
}

/// The letters and digits of a text, case-folded. A text without any is returned folded.
fn letters(text: &str) -> String {
    let folded = fold_case(text);
    let letters: String = folded
        .chars()
        .filter(|character| character.is_alphanumeric())
        .collect();
    if letters.is_empty() { folded } else { letters }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn checked(password: &str) -> Result<(), PasswordPolicyError> {
        let names = [
            ShortText::from_static("Star High School"),
            ShortText::from_static("별빛고등학교"),
        ];
        let email = "kim.haneul@school.example".parse().unwrap();
        StandardPasswordPolicy
            .check(&NewPassword::new(
                &Password::new(password).unwrap(),
                &email,
                &names,
            ))
            .await
    }

    #[tokio::test]
    async fn a_new_password_has_at_least_ten_characters_in_whatever_form_they_are_typed() {
        let short = Err(PasswordPolicyError::TooShort { at_least: 10 });
        // Nine syllables, typed as eighteen single letters.
        let decomposed: String = "가나다라마바사아자"
            .chars()
            .flat_map(|syllable| {
                let index = u32::from(syllable) - 0xac00;
                [0x1100 + index / 588, 0x1161 + index % 588 / 28]
                    .map(|letter| char::from_u32(letter).unwrap())
            })
            .collect();
        for password in ["a", "kjh!8723k", "가나다라마바사아자", &decomposed] {
            assert_eq!(checked(password).await, short, "{password}");
        }
        for password in [
            "kjh!8723kd",
            "파란 달팽이와 우산",
            "correct horse battery staple",
            "a new password",
        ] {
            assert_eq!(checked(password).await, Ok(()), "{password}");
        }
    }

    #[tokio::test]
    async fn a_password_is_neither_the_address_nor_a_name_of_the_school_in_any_spelling() {
        for password in [
            "kim.haneul@school.example",
            "KIM.HANEUL@school.example",
            "kim.haneul",
            "Kim Haneul",
            "kim-haneul",
        ] {
            assert_eq!(
                checked(password).await,
                Err(PasswordPolicyError::IsEmail),
                "{password}"
            );
        }
        for password in [
            "Star High School",
            "starhighschool",
            "STAR-HIGH-SCHOOL!",
            "별빛 고등 학교 !!",
        ] {
            assert_eq!(
                checked(password).await,
                Err(PasswordPolicyError::IsName),
                "{password}"
            );
        }
    }

    #[tokio::test]
    async fn a_password_is_not_among_the_usual_ones_nor_one_of_them_in_disguise() {
        for password in [
            "qwertyuiop",
            "1q2w3e4r5t",
            "1234567890",
            "aaaaaaaaaaaa",
            "password12",
            "iloveyou2026",
            "trustno1trustno1",
            "01012345678",
            "2009-03-12",
            "starhighschool1",
            "kimhaneul1",
            "P@ssw0rd123!",
            "Dragon2024!!",
            "!!Sunshine99",
            "123Monkey!!",
            "Welcome2024!",
            "iloveyou!!12",
            "KimHaneul#2009",
            "별빛고등학교2026!!",
        ] {
            assert_eq!(
                checked(password).await,
                Err(PasswordPolicyError::TooCommon),
                "{password}"
            );
        }
        assert_eq!(
            checked(&"4".repeat(1_024)).await,
            Err(PasswordPolicyError::TooCommon),
            "the longest password is estimated as fast"
        );
    }

    /// Fails if digits and signs around a password are ignored regardless of what is between them.
    #[tokio::test]
    async fn random_passwords_and_several_words_are_good_also_with_digits_and_signs_around_them() {
        for password in [
            "$7!Kq_x@9#",
            "x7k2m98341",
            "12qT!pLx34!!",
            "9f!Zr4ke#2",
            "Tr0ub4dor&3",
            "correct horse battery",
            "12 blue snails 34",
            "파란 달팽이와 우산 2026!",
            "love7391824650",
        ] {
            assert_eq!(checked(password).await, Ok(()), "{password}");
        }
    }

    #[test]
    fn an_estimate_tries_few_signs_as_letters() {
        assert_eq!(estimated("P@$$w0rd!@$!"), "P@$$w0rd!@$!");
        assert_eq!(estimated("4@8({[<3691!|70$5+%2"), "4@8({~~3691~~70~5~~2");
        assert_eq!(
            estimated(&"x".repeat(1_024)).len(),
            MAX_ESTIMATED_CHARACTERS
        );
    }
}
