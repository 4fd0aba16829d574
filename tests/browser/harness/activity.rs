//! Past activity of the harness's client and API key.

use std::time::Duration;

use lyceum::domain::{
    ApiKeyDailyUsage, Application, ApplicationId, AuthorizationCode, AuthorizationSession, GrantId,
    Role, Scope, ScopeDefinition, ScopeId, SessionToken, ShortText, Subject, Translations,
};
use lyceum::http::Clock;
use lyceum::store::{
    ApiKeyStore, Approval, ApprovalLimits, ApprovalOutcome, ClientRegistry, ConsentMode, Creation,
    GrantStore, ScopeCreation, SignIn,
};

use super::{ADMIN, EMAIL, Harness, OTHER, random, today};

impl Harness {
    /// Authorizes the client for the user with [`EMAIL`] and the first scope, and remembers the
    /// consent.
    pub async fn connect(&self) {
        self.connect_user(0).await;
    }

    /// The same for one of the [`people`](Self::people).
    pub async fn connect_user(&self, at: usize) {
        let (now, [before, after]) = (
            self.clock.now(),
            [
                SessionToken::from_random(random()),
                SessionToken::from_random(random()),
            ],
        );
        let expires_at = now.plus(Duration::from_secs(60));
        let pending = AuthorizationSession {
            client: self.client,
            redirect_uri: self.callback.clone(),
            state: None,
            scopes: [self.scopes[0].clone()].into_iter().collect(),
            challenge: None,
            prompt: lyceum::domain::Prompt::default(),
            subject: None,
            created_at: now,
            expires_at,
        };
        let subject = Subject {
            id: self.people[at].clone(),
            email: [EMAIL, OTHER, ADMIN][at].parse().unwrap(),
            role: Role::User,
            numeric_id: None,
            student: None,
        };
        self.store
            .open_session(before.digest(), pending)
            .await
            .unwrap();
        let signed_in = self
            .store
            .sign_in(&before.digest(), after.digest(), subject, now)
            .await
            .unwrap();
        assert!(matches!(signed_in, SignIn::SignedIn(_)));
        let code = AuthorizationCode::from_random(random());
        let (grant, digest) = (GrantId::from_random(random()), code.digest());
        let approval = Approval {
            grant,
            code: digest,
            code_expires_at: expires_at,
            consent_mode: ConsentMode::Remembered,
            limits: ApprovalLimits::UNLIMITED,
        };
        let approved = self
            .store
            .approve_session(&after.digest(), approval, now)
            .await
            .unwrap();
        assert!(matches!(approved, ApprovalOutcome::Approved(_)));
        let answer = self
            .exchange(&format!("{}?code={}", self.callback, code.expose()))
            .await;
        assert_eq!(answer.status, 200, "{}", answer.body);
    }

    /// Makes an application of the second user with a scope that needs approval.
    pub async fn scope_with_approval(&self) -> ScopeId {
        let (id, name): (_, ShortText) = (
            ApplicationId::from_random(random()),
            ShortText::from_static("School library"),
        );
        let application = Application {
            id,
            name: name.clone(),
            name_translations: Translations::default(),
            owner: self.people[1].clone(),
            created_at: self.clock.now(),
        };
        let created = self.store.create_application(application).await.unwrap();
        assert_eq!(created, Creation::Created);
        let definition = ScopeDefinition {
            id: ScopeId::from_random(random()),
            scope: Scope {
                application: id,
                name: "loans_read".parse().unwrap(),
            },
            description: "See what you have borrowed".parse().unwrap(),
            description_translations: Translations::default(),
            application_name: name,
            application_name_translations: Translations::default(),
            approval_required: true,
        };
        let scope = definition.id;
        let created = self.store.create_scope(definition).await.unwrap();
        assert_eq!(created, ScopeCreation::Created);
        scope
    }

    /// Records usage of the key for the last month, with more calls on school days.
    pub async fn use_key_for_a_month(&self) {
        let days = (0..30_u32).rev().map(|ago| {
            (
                ago,
                self.clock
                    .now()
                    .minus(Duration::from_secs(u64::from(ago) * 24 * 60 * 60)),
            )
        });
        let uses = days.map(|(ago, at)| {
            let calls = if ago % 7 < 2 {
                12 + ago % 5
            } else {
                150 + (ago * 37) % 90
            };
            ApiKeyDailyUsage {
                key: self.api_key,
                day: today(at),
                calls,
                errors: 0,
                last_used_at: at,
            }
        });
        self.store
            .record_api_key_usage(uses.collect())
            .await
            .unwrap();
    }
}
