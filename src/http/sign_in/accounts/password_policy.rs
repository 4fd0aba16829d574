use std::fmt::Debug;

use async_trait::async_trait;
use zxcvbn::{Score, zxcvbn};

use super::hashing::Hashing;
use crate::domain::{Email, Line, Password, fold};
use crate::http::sign_in::workers::Busy;

/// How many characters of a password are estimated. An estimate takes more than linear time, and nobody guesses so many.
const ESTIMATED: usize = 40;

/// How many different signs of a password are tried as letters, such as `@` for `a`.
const ESTIMATED_SIGNS: usize = 3;

/// How many digits and signs around a word are taken off it: a year and two signs.
const DECORATION: usize = 6;

/// Decides which passwords accounts may get: new accounts, and accounts whose password changes. Passwords that accounts have already go on
/// working.
///
/// [`StandardPasswordPolicy`] is the default; [`AccountsBuilder::password_policy`](super::AccountsBuilder::password_policy) takes another one,
/// which may ask the standard one first:
///
/// ```
/// use lyceum::http::auth_server::{NewPassword, PasswordFault, PasswordPolicy, StandardPasswordPolicy};
///
/// /// Also refuses passwords that were found in leaks.
/// #[derive(Debug)]
/// struct NotLeaked;
///
/// # async fn is_leaked(_: &str) -> bool { false }
/// #[async_trait::async_trait]
/// impl PasswordPolicy for NotLeaked {
///     async fn check(&self, new: &NewPassword<'_>) -> Result<(), PasswordFault> {
///         StandardPasswordPolicy.check(new).await?;
///         if is_leaked(new.password.expose()).await { Err(PasswordFault::NotAllowed) } else { Ok(()) }
///     }
/// }
/// ```
#[async_trait]
pub trait PasswordPolicy: Debug + Send + Sync + 'static {
    /// Accepts a password for an account, or says what is wrong with it. A policy that asks another service decides itself what happens while
    /// that is away.
    ///
    /// # Errors
    /// The fault of a password that the account may not get.
    async fn check(&self, new: &NewPassword<'_>) -> Result<(), PasswordFault>;
}

/// A password that an account is to get.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct NewPassword<'a> {
    /// The password.
    pub password: &'a Password,
    /// The e-mail address of the account.
    pub email: &'a Email,
    /// The names of the school and the service, as far as they are known.
    pub names: &'a [Line],
    /// The threads that run the estimate, so that it does not block the runtime; if `None`, the caller runs it.
    threads: Option<&'a Hashing>,
}

impl<'a> NewPassword<'a> {
    /// A password for the account with this e-mail address.
    pub const fn new(password: &'a Password, email: &'a Email, names: &'a [Line]) -> Self {
        Self { password, email, names, threads: None }
    }

    /// The same, estimated on these threads.
    pub(super) const fn estimated_on(self, threads: &'a Hashing) -> Self {
        Self { threads: Some(threads), ..self }
    }
}

/// What is wrong with a password that an account was to get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PasswordFault {
    /// It has fewer characters than this.
    TooShort {
        /// How many it needs.
        at_least: usize,
    },
    /// It is the e-mail address of the account, or the part of it before the `@`.
    IsEmail,
    /// It is the name of the school or the service.
    IsName,
    /// It is among the usual passwords, or so much like one that a program would soon guess it.
    Usual,
    /// A rule of the host is against it.
    NotAllowed,
    /// It was not checked, because the queue of the hashing threads is full.
    Busy,
}

/// The rules that suit almost everyone: at least [`MIN_CHARACTERS`](Self::MIN_CHARACTERS) characters; neither the e-mail address nor the part
/// before the `@` nor a name of the school or service, whatever the case, blanks and punctuation; and not among the usual passwords, nor one
/// of them with a year, a few digits or other signs (fewer than a million guesses, as `zxcvbn` estimates them, or fewer than a thousand for what
/// is between up to six digits and signs).
///
/// The estimate takes milliseconds. For [`Accounts`](super::Accounts) it is made on the threads that hash passwords, also when a policy of the
/// host's asks this one with the [`NewPassword`] that it was given.
#[derive(Debug, Clone, Copy, Default)]
pub struct StandardPasswordPolicy;

impl StandardPasswordPolicy {
    /// How many characters a password needs, in canonical composition (NFC), so that a Hangul syllable is one however it is typed.
    pub const MIN_CHARACTERS: usize = 10;
}

#[async_trait]
impl PasswordPolicy for StandardPasswordPolicy {
    async fn check(&self, new: &NewPassword<'_>) -> Result<(), PasswordFault> {
        if new.password.characters() < Self::MIN_CHARACTERS {
            return Err(PasswordFault::TooShort { at_least: Self::MIN_CHARACTERS });
        }
        let (password, email) = (letters(new.password.expose()), new.email.as_str());
        let local = email.split('@').next().unwrap_or_default();
        if [email, local].iter().any(|part| letters(part) == password) {
            return Err(PasswordFault::IsEmail);
        }
        let names: Vec<String> = new.names.iter().map(|name| letters(name)).filter(|name| !name.is_empty()).collect();
        if names.contains(&password) {
            return Err(PasswordFault::IsName);
        }
        // What an attacker knows of the account is as good a guess as the usual passwords.
        let known: Vec<String> = names.into_iter().chain([letters(email), letters(local)]).collect();
        let password = new.password.clone();
        let estimate = move || is_usual(password.expose(), &known);
        let is_usual = match new.threads {
            Some(threads) => threads.estimate(estimate).await.map_err(|Busy| PasswordFault::Busy)?,
            None => estimate(),
        };
        if is_usual { Err(PasswordFault::Usual) } else { Ok(()) }
    }
}

/// Whether a program would soon guess the password: as it is, or as one of the most usual words with something put around it. What is around a
/// word counts for little, since all put the same there; and what is left of a random password is no usual word.
fn is_usual(password: &str, known: &[String]) -> bool {
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let score = |text: &str| zxcvbn(&estimated(text), &known).score();
    score(password) < Score::Two || undecorated(password).is_some_and(|word| score(word) == Score::Zero)
}

/// The password without the digits and signs around it, or `None` where these are too many to count for little.
fn undecorated(password: &str) -> Option<&str> {
    let word = password.trim_matches(|character: char| !character.is_alphabetic());
    (password.chars().count() - word.chars().count() <= DECORATION).then_some(word)
}

/// The part of a password that is estimated. Signs that stand for letters multiply the work, each by the others, so all after the first few
/// become one sign that stands for none.
fn estimated(password: &str) -> String {
    const FOR_LETTERS: &str = "@({[<!|$+%";
    let mut seen = Vec::new();
    let character = |character: char| {
        if !FOR_LETTERS.contains(character) || seen.contains(&character) {
            return character;
        }
        if seen.len() == ESTIMATED_SIGNS {
            return '~';
        }
        seen.push(character);
        character
    };
    password.chars().take(ESTIMATED).map(character).collect()
}

/// The letters and digits of a text, folded. What has none of them stays as it is.
fn letters(text: &str) -> String {
    let folded = fold(text);
    let letters: String = folded.chars().filter(|character| character.is_alphanumeric()).collect();
    if letters.is_empty() { folded } else { letters }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn checked(password: &str) -> Result<(), PasswordFault> {
        let names = [Line::literal("Star High School"), Line::literal("별빛고등학교")];
        let email = "kim.haneul@school.example".parse().unwrap();
        StandardPasswordPolicy.check(&NewPassword::new(&Password::new(password).unwrap(), &email, &names)).await
    }

    #[tokio::test]
    async fn a_new_password_has_at_least_ten_characters_in_whatever_form_they_are_typed() {
        let short = Err(PasswordFault::TooShort { at_least: 10 });
        // Nine syllables are twenty characters when they are typed as single letters.
        let decomposed: String = "가나다라마바사아자"
            .chars()
            .flat_map(|syllable| {
                let index = u32::from(syllable) - 0xac00;
                [0x1100 + index / 588, 0x1161 + index % 588 / 28].map(|letter| char::from_u32(letter).unwrap())
            })
            .collect();
        for password in ["a", "kjh!8723k", "가나다라마바사아자", &decomposed] {
            assert_eq!(checked(password).await, short, "{password}");
        }
        for password in ["kjh!8723kd", "파란 달팽이와 우산", "correct horse battery staple", "a new password"] {
            assert_eq!(checked(password).await, Ok(()), "{password}");
        }
    }

    #[tokio::test]
    async fn a_password_is_neither_the_address_nor_a_name_of_the_school_in_any_spelling() {
        for password in ["kim.haneul@school.example", "KIM.HANEUL@school.example", "kim.haneul", "Kim Haneul", "kim-haneul"] {
            assert_eq!(checked(password).await, Err(PasswordFault::IsEmail), "{password}");
        }
        for password in ["Star High School", "starhighschool", "STAR-HIGH-SCHOOL!", "별빛 고등 학교 !!"] {
            assert_eq!(checked(password).await, Err(PasswordFault::IsName), "{password}");
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
            assert_eq!(checked(password).await, Err(PasswordFault::Usual), "{password}");
        }
        assert_eq!(checked(&"4".repeat(1_024)).await, Err(PasswordFault::Usual), "the longest one takes no longer");
    }

    /// Fails if digits and signs around a password count for nothing, whatever is between them.
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
        assert_eq!(estimated(&"x".repeat(1_024)).len(), ESTIMATED);
    }
}
