//! A custom list beside the school's lists: teachers, with a scope of their own.
//!
//! Run `cargo run --example custom_resource`, then send a request with the printed key.

use std::error::Error;
use std::sync::Arc;

use axum::Router;
use lyceum::DataApi;
use lyceum::crypto::{Entropy, SystemEntropy};
use lyceum::directory::{Directory, EnumValues, Field, Object, Parameter, RecordList, Resource};
use lyceum::domain::{ApiKey, ApiKeyId, ApiKeySecret, InvalidValue, PersonalField, Timestamp};
use lyceum::http::{Clock, SystemClock};
use lyceum::store::ApiKeyStore;
use lyceum::store::memory::MemoryStore;

/// A teacher, as stored in your own system.
#[derive(PartialEq)]
pub struct Teacher {
    pub id: i64,
    pub name: String,
    pub email: String,
    pub subject: &'static str,
    pub since: i32,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let (store, list) = (Arc::new(MemoryStore::new()), teachers()?);
    let api = DataApi::builder(Directory::open(store.clone()).await?, store.clone())
        .resource(list)
        .build()?;
    let secret = key(&*store, &api).await?;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
    println!(
        "curl -H 'X-API-KEY: {secret}' 'http://127.0.0.1:3000/v1/teachers?subject=MUSIC&sortBy=NAME'"
    );
    axum::serve(listener, Router::new().fallback_service(api)).await?;
    Ok(())
}

/// The list: three filters, three sort orders, and an e-mail address that keys can hide.
pub fn teachers() -> Result<Arc<RecordList<Teacher>>, InvalidValue> {
    type F = Field<Teacher>;
    let subjects = EnumValues::new("Subject", ["MATHS", "MUSIC", "PHYSICS"]);
    let fields = [
        F::id("id", |teacher| teacher.id).sort("ID"),
        F::text("name", |teacher| Some(&teacher.name))
            .filter(Parameter::new("name", "Part of the name.").pinned())
            .sort("NAME"),
        F::text("email", |teacher| Some(&teacher.email)).personal(PersonalField::Email),
        F::enumeration("subject", &subjects, |teacher| Some(teacher.subject))
            .filter(Parameter::new("subject", "What they teach.").pinned())
            .label("Subject"),
        F::int("since", |teacher| Some(teacher.since))
            .range(1950..=2100)
            .filter(Parameter::new("since", "The year in which they came."))
            .sort("SINCE")
            .label("Since"),
    ];
    let record = Object::new("Teacher", "Somebody who teaches.", fields);
    let list = RecordList::new(
        Resource::new("teachers", "/v1/teachers", "TEACHER_READ".parse()?, record)
            .title("Teachers"),
    )?;
    // From any source; call it again whenever the data there changes.
    list.replace([
        Teacher {
            id: 1,
            name: "한별".to_owned(),
            email: "byeol@school.example".to_owned(),
            subject: "MUSIC",
            since: 2019,
        },
        Teacher {
            id: 2,
            name: "Ada".to_owned(),
            email: "ada@school.example".to_owned(),
            subject: "MATHS",
            since: 2022,
        },
    ])?;
    Ok(Arc::new(list))
}

/// Creates a key for all lists. With the authorization service, users create keys themselves: pass
/// it `api.scopes()`.
async fn key(store: &dyn ApiKeyStore, api: &DataApi) -> Result<String, Box<dyn Error>> {
    let mut random = [0; 32];
    SystemEntropy.fill(&mut random);
    let (id, value) = random.split_at(16);
    let secret = ApiKeySecret::from_random(value.try_into()?);
    let now: Timestamp = SystemClock.now();
    let key = ApiKey::new(
        ApiKeyId::from_random(id.try_into()?),
        &secret,
        "example".parse()?,
        api.scopes(),
        now,
    );
    let _ = store.create_api_key(key).await?;
    Ok(secret.expose().to_owned())
}
