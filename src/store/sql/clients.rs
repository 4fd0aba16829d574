//! Reads OAuth clients.

use std::collections::HashMap;
use std::sync::Arc;

use sea_query::{Condition, Expr, ExprTrait, Order, Query};

use super::executor::{Executor, fetch_all, fetch_optional};
use super::in_list_padding::pad_to_power_of_two;
use super::page_query::{PageQuery, sort_by_ids};
use super::row::Row;
use super::scopes;
use super::tables::{ClientScopes, ClientSecrets, Clients, Scopes};
use crate::domain::{
    Client, ClientId, ClientSecretDigest, PageRequest, RegisteredSecret, ScopeSet, SortDirection,
    Verification,
};
use crate::store::{ClientFilter, Paged, StorageError};

pub(super) async fn client(
    tx: &mut dyn Executor,
    id: ClientId,
) -> Result<Option<Arc<Client>>, StorageError> {
    let client = Query::select()
        .columns(COLUMNS)
        .from(Clients::Table)
        .and_where(is_client(id))
        .take();
    let client = fetch_optional(tx, &client).await?.map(read).transpose()?;
    // An unknown client takes as many statements as a known one, so the response time does not
    // reveal whether it exists.
    Ok(complete(tx, vec![id], client.into_iter().collect())
        .await?
        .pop())
}

pub(super) async fn clients_by_id(
    tx: &mut dyn Executor,
    ids: Vec<ClientId>,
) -> Result<Vec<Arc<Client>>, StorageError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let any =
        Expr::col(Clients::Id).is_in(pad_to_power_of_two(ids.iter().map(ToString::to_string)));
    let found = Query::select()
        .columns(COLUMNS)
        .from(Clients::Table)
        .and_where(any)
        .take();
    let found = fetch_all(tx, &found)
        .await?
        .into_iter()
        .map(read)
        .collect::<Result<_, _>>()?;
    complete(
        tx,
        ids.clone(),
        sort_by_ids(&ids, found, |client| client.id),
    )
    .await
}

pub(super) async fn clients(
    tx: &mut dyn Executor,
    (condition, direction): (Condition, SortDirection),
    page: PageRequest,
) -> Result<Paged<Arc<Client>>, StorageError> {
    let page_query = PageQuery {
        table: Clients::Table,
        columns: COLUMNS.into(),
        condition,
        sort: Clients::CreatedAt,
        sort_is_nullable: false,
        id: Clients::Id,
        direction,
        page,
    };
    let (total, rows) = page_query.load(tx).await?;
    let clients: Vec<Client> = rows.into_iter().map(read).collect::<Result<_, _>>()?;
    let ids = clients.iter().map(|client| client.id).collect();
    Ok(Paged {
        total,
        items: complete(tx, ids, clients).await?,
    })
}

/// The condition for the clients that a filter selects, and their order by time.
pub(super) fn selected_by(filter: ClientFilter<'_>) -> (Condition, SortDirection) {
    match filter {
        ClientFilter::All => (Condition::all(), SortDirection::Ascending),
        ClientFilter::OwnedBy(owner) => (
            Condition::all().add(Expr::col(Clients::Owner).eq(owner.as_str())),
            SortDirection::Ascending,
        ),
        ClientFilter::AwaitingReview => (
            Condition::all()
                .add(Expr::col(Clients::FirstParty).eq(0))
                .add(Expr::col(Clients::VerifiedAt).is_null()),
            SortDirection::Descending,
        ),
    }
}

pub(super) fn is_client(id: ClientId) -> Expr {
    Expr::col(Clients::Id).eq(id.to_string())
}

pub(super) const COLUMNS: [Clients; 16] = [
    Clients::Id,
    Clients::Name,
    Clients::Owner,
    Clients::Policy,
    Clients::RedirectUris,
    Clients::PlainPkceAllowed,
    Clients::PkceRequired,
    Clients::FirstParty,
    Clients::ClientCredentialsAllowed,
    Clients::IssOmitted,
    Clients::PolicyUri,
    Clients::Verified,
    Clients::VerifiedBy,
    Clients::VerifiedAt,
    Clients::CreatedAt,
    Clients::SuspendedAt,
];

/// Adds the allowed scopes and secrets to clients. `ids` are their ids.
async fn complete(
    tx: &mut dyn Executor,
    ids: Vec<ClientId>,
    mut clients: Vec<Client>,
) -> Result<Vec<Arc<Client>>, StorageError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<String> = pad_to_power_of_two(ids.iter().map(ToString::to_string));
    let (mut scopes, mut secrets) = (
        allowed_scopes(tx, ids.clone()).await?,
        secrets(tx, ids).await?,
    );
    for client in &mut clients {
        client.allowed_scopes = scopes.remove(&client.id).unwrap_or_default();
        client.secrets = secrets.remove(&client.id).unwrap_or_default();
    }
    Ok(clients.into_iter().map(Arc::new).collect())
}

/// Reads [`COLUMNS`].
fn read(mut row: Row) -> Result<Client, StorageError> {
    read_columns(&mut row)
}

/// Reads [`COLUMNS`] from the start of a row. The scopes and secrets are in other tables.
pub(super) fn read_columns(row: &mut Row) -> Result<Client, StorageError> {
    Ok(Client {
        id: row.parsed("clients.id")?,
        name: row.parsed("clients.name")?,
        owner: row.parsed("clients.owner")?,
        policy: row.parsed("clients.policy")?,
        redirect_uris: row.list("clients.redirect_uris")?,
        plain_pkce_allowed: row.boolean("clients.plain_pkce_allowed")?,
        pkce_required: row.boolean("clients.pkce_required")?,
        first_party: row.boolean("clients.first_party")?,
        client_credentials_allowed: row.boolean("clients.client_credentials_allowed")?,
        iss_omitted: row.boolean("clients.iss_omitted")?,
        policy_uri: row.optional(|row| row.parsed("clients.policy_uri"))?,
        verification: verification(row)?,
        created_at: row.timestamp("clients.created_at")?,
        suspended_at: row.optional(|row| row.timestamp("clients.suspended_at"))?,
        allowed_scopes: ScopeSet::default(),
        secrets: Vec::new(),
    })
}

/// Reads the columns of [`verification_columns`].
fn verification(row: &mut Row) -> Result<Verification, StorageError> {
    let is_verified = row.boolean("clients.verified")?;
    let by = row.optional(|row| row.parsed("clients.verified_by"))?;
    let at = row.optional(|row| row.timestamp("clients.verified_at"))?;
    Ok(match (is_verified, by, at) {
        (false, ..) => Verification::Unverified,
        (true, Some(by), Some(at)) => Verification::Verified { by, at },
        (true, ..) => Verification::Assumed,
    })
}

/// The columns of a client's verification.
pub(super) fn verification_columns(verification: &Verification) -> [(Clients, Expr); 3] {
    let (by, at) = match verification {
        Verification::Verified { by, at } => (Some(by.as_str()), Some(at.seconds())),
        Verification::Unverified | Verification::Assumed => (None, None),
    };
    let is_verified = i64::from(*verification != Verification::Unverified);
    [
        (Clients::Verified, is_verified.into()),
        (Clients::VerifiedBy, by.into()),
        (Clients::VerifiedAt, at.into()),
    ]
}

async fn allowed_scopes(
    tx: &mut dyn Executor,
    clients: Vec<String>,
) -> Result<HashMap<ClientId, ScopeSet>, StorageError> {
    let listed = Query::select()
        .column(ClientScopes::ClientId)
        .columns([
            (Scopes::Table, Scopes::ApplicationId),
            (Scopes::Table, Scopes::Name),
        ])
        .from(ClientScopes::Table)
        .inner_join(
            Scopes::Table,
            Expr::col((Scopes::Table, Scopes::Id))
                .equals((ClientScopes::Table, ClientScopes::ScopeId)),
        )
        .and_where(Expr::col(ClientScopes::ClientId).is_in(clients))
        .order_by(ClientScopes::ClientId, Order::Asc)
        .order_by(ClientScopes::Position, Order::Asc)
        .take();
    let mut scopes: HashMap<ClientId, ScopeSet> = HashMap::new();
    for mut row in fetch_all(tx, &listed).await? {
        let client = row.parsed("client_scopes.client_id")?;
        scopes.entry(client).or_default().insert(scopes::name(row)?);
    }
    Ok(scopes)
}

async fn secrets(
    tx: &mut dyn Executor,
    clients: Vec<String>,
) -> Result<HashMap<ClientId, Vec<RegisteredSecret>>, StorageError> {
    let stored = Query::select()
        .columns([
            ClientSecrets::ClientId,
            ClientSecrets::Digest,
            ClientSecrets::CreatedAt,
            ClientSecrets::LastFour,
            ClientSecrets::LastUsedAt,
        ])
        .from(ClientSecrets::Table)
        .and_where(Expr::col(ClientSecrets::ClientId).is_in(clients))
        .order_by(ClientSecrets::ClientId, Order::Asc)
        .order_by(ClientSecrets::Position, Order::Asc)
        .take();
    let mut secrets: HashMap<ClientId, Vec<RegisteredSecret>> = HashMap::new();
    for mut row in fetch_all(tx, &stored).await? {
        let client = row.parsed("client_secrets.client_id")?;
        let digest = ClientSecretDigest::from_bytes(row.digest("client_secrets.digest")?);
        let secret = RegisteredSecret {
            digest,
            created_at: row.timestamp("client_secrets.created_at")?,
            last_four: row.optional(|row| row.text("client_secrets.last_four"))?,
            last_used_at: row.optional(|row| row.timestamp("client_secrets.last_used_at"))?,
        };
        secrets.entry(client).or_default().push(secret);
    }
    Ok(secrets)
}
