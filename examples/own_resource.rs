//! A list of your own beside the school's: teachers, with a scope of its own name.
//!
//! `cargo run --example own_resource`, then ask with the key that it prints.

use std::error::Error;
use std::sync::Arc;

use axum::Router;
use lyceum::DataApi;
use lyceum::crypto::{Entropy, SystemEntropy};
use lyceum::directory::{Directory, Field, Object, Parameter, RecordList, Resource, Words};
use lyceum::domain::{ApiKey, ApiKeyId, ApiKeySecret, Invalid, PersonalField, Timestamp};
use lyceum::http::{Clock, SystemClock};
use lyceum::store::ApiKeyStore;
use lyceum::store::memory::MemoryStore;

/// A teacher as your own system knows them.
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
    let api = DataApi::builder(Directory::open(store.clone()).await?, store.clone()).resource(list).build()?;
    let secret = key(&*store, &api).await?;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
    println!("curl -H 'X-API-KEY: {secret}' 'http://127.0.0.1:3000/v1/teachers?subject=MUSIC&sortBy=NAME'");
    axum::serve(listener, Router::new().fallback_service(api)).await?;
    Ok(())
}

/// The list: three filters, three orders, and an e-mail address that keys can hide.
pub fn teachers() -> Result<Arc<RecordList<Teacher>>, Invalid> {
    type F = Field<Teacher>;
    let subjects = Words::new("Subject", ["MATHS", "MUSIC", "PHYSICS"]);
    let fields = [
        F::id("id", |teacher| teacher.id).sort("ID"),
        F::text("name", |teacher| Some(&teacher.name)).filter(Parameter::new("name", "Part of the name.").common()).sort("NAME"),
        F::text("email", |teacher| Some(&teacher.email)).personal(PersonalField::Email),
        F::word("subject", &subjects, |teacher| Some(teacher.subject))
            .filter(Parameter::new("subject", "What they teach.").common())
            .label("Subject"),
        F::int("since", |teacher| Some(teacher.since))
            .within(1950..=2100)
            .filter(Parameter::new("since", "The year in which they came."))
            .sort("SINCE")
            .label("Since"),
    ];
    let record = Object::new("Teacher", "Somebody who teaches.", fields);
    let list = RecordList::new(Resource::new("teachers", "/v1/teachers", "TEACHER_READ".parse()?, record).title("Teachers"))?;
    // From any source, and again whenever something there has changed.
    list.replace([
        Teacher { id: 1, name: "한별".to_owned(), email: "byeol@school.example".to_owned(), subject: "MUSIC", since: 2019 },
        Teacher { id: 2, name: "Ada".to_owned(), email: "ada@school.example".to_owned(), subject: "MATHS", since: 2022 },
    ])?;
    Ok(Arc::new(list))
}

/// A key for all lists. With the authorization service people make theirs: tell it of `api.scopes()`.
async fn key(store: &dyn ApiKeyStore, api: &DataApi) -> Result<String, Box<dyn Error>> {
    let mut random = [0; 32];
    SystemEntropy.fill(&mut random);
    let (id, value) = random.split_at(16);
    let secret = ApiKeySecret::from_random(value.try_into()?);
    let now: Timestamp = SystemClock.now();
    let key = ApiKey::issued(ApiKeyId::from_random(id.try_into()?), &secret, "example".parse()?, api.scopes(), now);
    let _ = store.create_api_key(key).await?;
    Ok(secret.expose().to_owned())
}
