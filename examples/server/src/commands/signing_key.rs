use clap::Args;
use lyceum::domain::KeyId;
use lyceum::store::SigningKeyRevocation;

use super::open_without_addresses;
use crate::BoxError;
use crate::backend::Backend;
use crate::services::School;
use crate::settings::StoreOptions;

#[derive(Debug, Args)]
pub struct RotateOptions<O: Args> {
    #[command(flatten)]
    store: StoreOptions<O>,
}

pub async fn rotate<B: Backend>(options: RotateOptions<B::Options>) -> Result<(), BoxError> {
    let school = open_without_addresses::<B>(options.store).await?;
    let next = rotate_in(&school).await;
    school.close().await?;
    println!("{}", next?);
    Ok(())
}

async fn rotate_in(school: &School) -> Result<String, BoxError> {
    let next = school
        .auth_server()
        .build()
        .await?
        .rotate_signing_key()
        .await?;
    let published = if next.is_new {
        "is published"
    } else {
        "was published before"
    };
    Ok(format!(
        "The key {} {published} and signs from {}.",
        next.id, next.signs_from
    ))
}

#[derive(Debug, Args)]
pub struct RevokeOptions<O: Args> {
    /// The key, as in the kid of tokens
    key: KeyId,
    #[command(flatten)]
    store: StoreOptions<O>,
}

pub async fn revoke<B: Backend>(options: RevokeOptions<B::Options>) -> Result<(), BoxError> {
    let school = open_without_addresses::<B>(options.store).await?;
    let revocation = revoke_in(&school, &options.key).await;
    school.close().await?;
    match revocation? {
        SigningKeyRevocation::Revoked => println!(
            "The key {} is revoked. Running servers refuse its tokens within a minute.",
            options.key
        ),
        SigningKeyRevocation::AlreadyRevoked { at } => {
            println!("The key {} was revoked at {at}.", options.key);
        }
        SigningKeyRevocation::NotFound => {
            return Err(format!("there is no signing key {}", options.key).into());
        }
    }
    Ok(())
}

async fn revoke_in(school: &School, key: &KeyId) -> Result<SigningKeyRevocation, BoxError> {
    let auth = school.auth_server().build().await?;
    Ok(auth.revoke_signing_key(key).await?)
}
