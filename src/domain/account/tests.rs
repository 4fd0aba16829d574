use super::*;

#[test]
fn an_id_that_is_a_number_keeps_it() {
    for number in [1, 7, 20_260_001, SubjectId::MAX_NUMERIC_ID] {
        assert_eq!(
            number
                .to_string()
                .parse::<SubjectId>()
                .unwrap()
                .numeric_id(),
            number
        );
    }
}

/// Fails if the derivation changes: clients store these numbers.
#[test]
fn any_other_id_has_the_number_that_sha_256_gives_it() {
    for (id, number) in [
        ("3f2b8c1e-9d4a-4e6f-8a7b-0c1d2e3f4a5b", 760_847_704_308_741),
        ("kim", 1_360_985_103_477_066),
        ("0", 3_375_077_322_127_629),
        ("007", 3_469_962_583_109_473),
        ("-7", 5_891_296_663_278_521),
        ("+7", 4_036_580_898_315_174),
        ("9007199254740992", 6_984_352_457_745_639),
    ] {
        assert_eq!(
            id.parse::<SubjectId>().unwrap().numeric_id(),
            number,
            "{id}"
        );
    }
}

#[test]
fn a_number_is_above_zero_and_below_two_to_the_53_whatever_the_digest() {
    assert_eq!(
        (
            numeric_id_from_digest(&[0xFF; 32]),
            numeric_id_from_digest(&[0; 32])
        ),
        (SubjectId::MAX_NUMERIC_ID, 1)
    );
}

/// Fails if a number is accepted that some client cannot parse, or if the derived number takes
/// precedence over the host's.
#[test]
fn a_host_brings_a_number_that_every_client_can_read() {
    let subject = |numeric_id| Subject {
        id: "kim".parse().unwrap(),
        email: "a@b".parse().unwrap(),
        role: Role::User,
        numeric_id,
        student: None,
    };
    assert_eq!(subject(None).numeric_id(), subject(None).id.numeric_id());
    for number in [0, 42, SubjectId::MAX_NUMERIC_ID] {
        assert_eq!(
            subject(Some(NumericUserId::new(number).unwrap())).numeric_id(),
            number
        );
    }
    for number in [-1, SubjectId::MAX_NUMERIC_ID + 1, i64::MAX, i64::MIN] {
        assert!(NumericUserId::new(number).is_err(), "{number} was accepted");
    }
}

/// Fails if a confirmation loses the password, if a second suspension needs two of them, or if
/// the hash is a text that it has been before.
#[test]
fn a_confirmed_hash_has_the_password_from_before_and_is_another_text() {
    let at = Timestamp::from_seconds;
    let phc = "$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA";
    let hash = PasswordHash::from_phc(phc);
    let suspended = hash.suspended(at(1_790_000_000));
    let again = suspended.suspended(at(1_790_000_001));
    let states = [
        hash.clone(),
        suspended.clone(),
        suspended.confirmed(),
        again.clone(),
        again.confirmed(),
    ];
    assert_eq!(
        states.each_ref().map(PasswordHash::is_suspended),
        [false, true, false, true, false]
    );
    for (number, state) in states.iter().enumerate() {
        assert_eq!(state.without_mark(), phc);
        let earlier = &states[..number];
        assert!(earlier.iter().all(|one| one.as_phc() != state.as_phc()));
    }
    assert_eq!(hash.confirmed().as_phc(), phc);
}

/// Fails if an account that a build before schema 17 suspended cannot be confirmed.
#[test]
fn a_suspension_without_a_time_is_confirmed_too() {
    let suspended = PasswordHash::from_phc("!$argon2id$hash");
    assert!(suspended.is_suspended());
    assert_eq!(suspended.confirmed().without_mark(), "$argon2id$hash");
}

/// Fails if a leaver who is enrolled again lacks the password from before, if a restoration is
/// confirmed by an enrollment, or if a confirmation lets a leaver in.
#[test]
fn the_hash_of_a_leaver_is_suspended_until_the_student_is_enrolled_again() {
    let at = Timestamp::from_seconds;
    let phc = "$argon2id$v=19$m=8,t=1,p=1$c2FsdA$aGFzaA";
    let hash = PasswordHash::from_phc(phc);
    let left = hash.suspended_as_left(at(1_790_000_000));
    assert_eq!(left.as_phc(), format!("!1790000000:left{phc}"));
    assert_eq!(left.left_at(), Some(at(1_790_000_000)));
    assert!(left.is_suspended() && left.confirmed().is_suspended());
    assert_eq!(left.resumed().as_phc(), format!("~1790000000{phc}"));
    assert_eq!((hash.left_at(), hash.resumed().as_phc()), (None, phc));

    let restored = hash.suspended(at(1_790_000_001));
    assert_eq!(restored.left_at(), None);
    let both = restored.suspended_as_left(at(1_790_000_002));
    assert_eq!(both.left_at(), Some(at(1_790_000_002)));
    assert_eq!(both.resumed().as_phc(), restored.as_phc());
    let again = both.suspended_as_left(at(1_790_000_003));
    assert_eq!(again.resumed().as_phc(), restored.as_phc());

    for earlier in [&left, &both] {
        let restored = earlier.suspended(at(1_790_000_004)).confirmed();
        assert_eq!(restored.left_at(), earlier.left_at());
        assert_ne!(restored.as_phc(), earlier.as_phc());
        let resumed = format!("!1790000004{phc}");
        assert_eq!(restored.resumed().as_phc(), resumed);
    }
}

#[test]
fn an_account_without_a_password_stays_one_while_it_is_suspended() {
    let none = PasswordHash::none();
    let at = Timestamp::from_seconds(1_790_000_000);
    for hash in [
        none.clone(),
        none.suspended(at),
        none.suspended(at).confirmed(),
        none.suspended_as_left(at),
        none.suspended_as_left(at).resumed(),
    ] {
        assert!(hash.is_none());
    }
    assert!(!PasswordHash::from_phc("$argon2id$hash").is_none());
}

#[test]
fn an_address_has_one_at_sign_and_no_blanks() {
    for text in ["a@b", "kim.haneul@school.example", "한글@학교.example"] {
        assert!(text.parse::<Email>().is_ok(), "{text:?} was refused");
    }
    for text in [
        "",
        "a",
        "@b",
        "a@",
        "a@b@c",
        "a b@c",
        "a@b\n",
        "a@b\0",
        &format!("{}@b", "a".repeat(254)),
    ] {
        assert!(text.parse::<Email>().is_err(), "{text:?} was accepted");
    }
    assert_eq!(
        "Kim@School.Example".parse::<Email>().unwrap().folded(),
        "kim@school.example"
    );
}
