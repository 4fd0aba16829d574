//! Home's part for administrators: what waits for them, and what happens at the school.

use std::sync::Arc;

use crate::domain::{Client, Date, PageRequest, SubjectId};
use crate::http::audit::StoredEvent;
use crate::http::console::applications::requests;
use crate::http::console::audit;
use crate::http::console::error::Error;
use crate::http::console::keys::fields;
use crate::http::console::sync::badge_kind;
use crate::http::console::user_labels::UserLabels;
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{
    EventRow, FailedSignIn, FailedSignIns, LastImport, LastSync, Overview, ReviewBadge, WaitingItem,
};
use crate::http::pages::{DisplayTime, initial};

/// Number of records in each list.
const SHOWN: u32 = 3;

/// Number of the newest failed sign-ins of which those alike are shown together.
const GROUPED: u32 = 50;

/// What happens at the school.
pub(crate) async fn overview(request: &UserRequest<'_>) -> Result<Overview, Error> {
    let (server, management) = (request.server, request.management());
    let (waiting_count, waiting) = waiting(request).await?;
    let runs = match server.sync() {
        Some(sync) => sync.status(1).await?.runs,
        None => Vec::new(),
    };
    // Since midnight, as the list of events filters.
    let today = Date::from_timestamp(server.now(), server.zone());
    let midnight = DisplayTime::start_of_day(today, server.zone()).unwrap_or(server.now());
    let failed = management
        .failed_sign_ins(server.now().since(midnight), GROUPED)
        .await?;
    let failed_sign_ins = match failed {
        Some(failed) => Some(FailedSignIns {
            count: failed.count,
            newest: alike_together(audit::rows(server, &failed.newest).await?),
            from: today.to_string(),
        }),
        None => None,
    };
    Ok(Overview {
        waiting_count,
        waiting,
        failed_sign_ins,
        sync: runs.first().map(|run| LastSync {
            at: DisplayTime::from_timestamp(run.started_at, server.zone()),
            result: server.texts().domain.sync_result(run.result),
            kind: badge_kind(run.result),
        }),
        import: last_import(request).await?,
    })
}

/// The first failed sign-ins of a list, those for the same account from the same address together.
fn alike_together(events: Vec<EventRow>) -> Vec<FailedSignIn> {
    let mut groups: Vec<FailedSignIn> = Vec::new();
    for event in events {
        let is_alike = |group: &&mut FailedSignIn| {
            group.event.sentence == event.sentence && group.event.address == event.address
        };
        match groups.iter_mut().find(is_alike) {
            Some(group) => group.count += 1,
            None => groups.push(FailedSignIn { event, count: 1 }),
        }
    }
    groups.truncate(usize::try_from(SHOWN).unwrap_or(usize::MAX));
    groups
}

/// The newest import of a file. Files that are planned and not applied yet are in no store.
async fn last_import(request: &UserRequest<'_>) -> Result<Option<LastImport>, Error> {
    let (server, text) = (request.server, request.texts());
    let Some(entry) = request.management().last_import().await? else {
        return Ok(None);
    };
    let event = StoredEvent::parse(entry.record.json.as_str());
    let number = |count: Option<u64>| count.unwrap_or_default();
    let changes = text.home_import_changes(
        number(event.added),
        number(event.changed),
        number(event.removed),
    );
    let rows = audit::rows(server, std::slice::from_ref(&entry)).await?;
    Ok(rows.into_iter().next().map(|row| LastImport {
        at: row.at,
        sentence: row.sentence,
        changes,
    }))
}

/// The number of clients and requests that wait for administrators, and the first of them: new
/// clients, requests for scopes, requests for hidden fields of keys, and then clients from before
/// the review of clients.
async fn waiting(request: &UserRequest<'_>) -> Result<(u64, Vec<WaitingItem>), Error> {
    let (server, text, management) = (request.server, request.texts(), request.management());
    let page = PageRequest::new(0, SHOWN).map_err(Error::internal)?;
    let clients = management.clients_to_review(page).await?;
    let asked = management.all_waiting_requests(page).await?;
    let keys = management.api_keys_with_requests(page).await?;
    let owners: Vec<&SubjectId> = clients.items.iter().map(|client| &client.owner).collect();
    let people = UserLabels::load(server, owners).await?;
    let item = |client: &Arc<Client>| WaitingItem {
        name: client.name.to_string(),
        href: server.href(&format!("/clients/{}", client.id)),
        initial: initial(&client.name),
        owner: people.short(&client.owner),
        what: ReviewBadge::new(client, text).label.to_owned(),
    };
    let (older, new): (Vec<_>, Vec<_>) = clients
        .items
        .iter()
        .partition(|client| client.is_verified());
    let requests = requests::rows(request, &asked.items, None).await?;
    let requests = requests.into_iter().map(|asked| WaitingItem {
        initial: initial(&asked.client),
        href: server.href(&format!("/clients/{}", asked.client_id)),
        name: asked.client,
        owner: asked.owner,
        what: asked.description,
    });
    let fields = fields::rows(request, &keys.items).await?;
    let fields = fields.into_iter().map(|asked| WaitingItem {
        initial: initial(&asked.key),
        href: server.href(&format!("/keys/{}", asked.id)),
        what: text.approvals.fields_of_key(asked.fields.join(", ")),
        name: asked.key,
        owner: asked.short_owner,
    });
    let items = new.into_iter().map(&item).chain(requests).chain(fields);
    let items = items.chain(older.into_iter().map(&item));
    let most = usize::try_from(SHOWN).unwrap_or(usize::MAX);
    let count = clients.total + asked.total + keys.total;
    Ok((count, items.take(most).collect()))
}
