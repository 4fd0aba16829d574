//! The user info as the deployed Java client reads it: Gson, into a class with a `long id`. The
//! rules are those of its `JsonReader`, without the leniency that clients cannot rely on: a whole
//! number, unquoted, without a fraction or an exponent, that a `long` holds.

use serde::Deserialize;
use serde_json::Value;

use crate::deployment::{Deployment, EMAIL};
use crate::support::Client;

/// The fields of the client's class. Unknown members are ignored.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct UserInfo {
    id: i64,
    email: String,
    role: String,
    status: String,
    object_type: Option<String>,
    is_student: bool,
    student: Option<Value>,
    sub: String,
}

impl Deployment {
    /// Requests the user info from the endpoint in the metadata and returns the user's id.
    pub async fn user_as_java_reads_it(&self, access_token: &str) -> i64 {
        let endpoint = self.metadata().await["userinfo_endpoint"]
            .as_str()
            .unwrap()
            .to_owned();
        let answer = Client::new()
            .get(
                &endpoint,
                &[("authorization", &format!("Bearer {access_token}"))],
            )
            .await;
        let user: UserInfo = serde_json::from_str(&answer.body)
            .unwrap_or_else(|error| panic!("{error}: {}", answer.body));
        assert_eq!(
            (&*user.email, &*user.sub, &*user.role, &*user.status),
            (EMAIL, EMAIL, "USER", "ACTIVE")
        );
        assert_eq!(
            (user.object_type, user.is_student, user.student),
            (None, false, None)
        );
        user.id
    }
}

#[test]
fn the_reader_refuses_an_id_that_is_no_long() {
    let read = |id: &str| {
        let body = r#"{"id":ID,"email":"a@b","role":"USER","status":"ACTIVE","objectType":null,"isStudent":false,"student":null,"sub":"a@b"}"#;
        serde_json::from_str::<UserInfo>(&body.replace("ID", id))
    };
    for id in ["7", "9007199254740991", "9223372036854775807"] {
        assert_eq!(read(id).unwrap().id.to_string(), id);
    }
    for id in [
        r#""7""#,
        r#""3f2b8c1e-9d4a-4e6f-8a7b-0c1d2e3f4a5b""#,
        "7.5",
        "7.0",
        "7e0",
        "9223372036854775808",
        "null",
    ] {
        assert!(read(id).is_err(), "{id} was read");
    }
}
