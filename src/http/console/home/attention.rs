//! What the start page asks the user to do, and what was decided about the user's requests.

use std::sync::Arc;
use std::time::Duration;

use crate::domain::{ApiKey, Client, ScopeRequest, ScopeRequestState, Severity, Timestamp};
use crate::http::console::clients::scope_options::all_scopes;
use crate::http::console::error::Error;
use crate::http::console::home::{DAY, EXPIRY_WARNING};
use crate::http::console::user_request::UserRequest;
use crate::http::console::views::{AttentionItem, AttentionRecord};
use crate::http::pages::texts::Texts;

/// Days for which the start page says that a request was denied.
const DENIAL_DAYS: u64 = 7;

/// Days for which it says that a request was approved, if the client does not list the scope yet.
const APPROVAL_DAYS: u64 = 30;

/// The user's keys that expire soon or have expired, clients with advice, and requests for scopes.
pub(crate) async fn attention(
    request: &UserRequest<'_>,
    keys: &[Arc<ApiKey>],
    clients: &[Arc<Client>],
) -> Result<Vec<AttentionItem>, Error> {
    let (text, now) = (request.texts(), request.server.now());
    let mut items: Vec<_> = keys
        .iter()
        .filter(|key| key.revoked_at.is_none() && key.expires_at.minus(EXPIRY_WARNING) <= now)
        .map(|key| expiring_key(key, now, text))
        .collect();
    items.extend(client_advice(clients, now, text));
    items.extend(waiting_requests(request).await?);
    Ok(items)
}

fn expiring_key(key: &ApiKey, now: Timestamp, text: &'static Texts) -> AttentionItem {
    let (kind, message, hint) = if key.expires_at <= now {
        let message = text.attention_key_expired(&key.description);
        ("problem", message, text.attention_key_expired_hint)
    } else {
        let message = text.attention_key_expires(&key.description);
        ("warning", message, text.attention_key_expires_hint)
    };
    AttentionItem {
        kind,
        icon: "clock",
        message,
        hint: hint.to_owned(),
        href: format!("/keys/{}/renew", key.id),
        action: text.renew,
        records: Vec::new(),
    }
}

/// The clients with advice, of which several are one item.
fn client_advice(
    clients: &[Arc<Client>],
    now: Timestamp,
    text: &'static Texts,
) -> Option<AttentionItem> {
    let advised = clients.iter().filter_map(|client| {
        // The most serious advice comes first.
        let advice = client.advise(now).into_iter().next()?;
        (advice.severity() > Severity::Low).then(|| {
            let record = AttentionRecord {
                href: format!("/clients/{}", client.id),
                name: client.name.to_string(),
                hint: text.domain.advice(advice).to_owned(),
            };
            (text.attention_client_advice(&client.name), record)
        })
    });
    let folded = |count| text.attention_clients_advice(count);
    item(
        advised.collect(),
        ("warning", "shield"),
        text.see_advice,
        folded,
    )
}

/// The requests that wait for the user. Administrators have them in the list of what waits.
async fn waiting_requests(request: &UserRequest<'_>) -> Result<Option<AttentionItem>, Error> {
    if request.is_administrator() {
        return Ok(None);
    }
    let (text, management) = (request.texts(), request.management());
    let waiting = management.count_waiting_requests().await?;
    Ok((waiting > 0).then(|| AttentionItem {
        kind: "warning",
        icon: "inbox",
        message: text.attention_requests(waiting),
        hint: text.attention_requests_hint.to_owned(),
        href: "/applications/requests".to_owned(),
        action: text.show,
        records: Vec::new(),
    }))
}

/// What was decided in the last days about requests of the user's clients: denials, and approvals of
/// scopes that the client does not list yet.
pub(crate) async fn decisions(
    request: &UserRequest<'_>,
    clients: &[Arc<Client>],
) -> Result<Option<AttentionItem>, Error> {
    if clients.is_empty() {
        return Ok(None);
    }
    let (server, text) = (request.server, request.texts());
    let mut asked = request.management().scope_requests_of_own_clients().await?;
    let since = |days| server.now().minus(Duration::from_secs(days * DAY));
    asked.retain(|asked| match &asked.state {
        ScopeRequestState::Waiting => false,
        ScopeRequestState::Approved { at } => *at >= since(APPROVAL_DAYS),
        ScopeRequestState::Refused(refusal) => refusal.at >= since(DENIAL_DAYS),
    });
    if asked.is_empty() {
        return Ok(None);
    }
    let scopes = all_scopes(server).await?;
    let decision = |asked: &ScopeRequest| {
        let client = clients.iter().find(|client| client.id == asked.client)?;
        let definition = scopes.iter().find(|known| known.id == asked.scope)?;
        let description = text.scope_description(definition);
        let (is_denied, page, message, hint) = match &asked.state {
            ScopeRequestState::Refused(refusal) => (
                true,
                "scopes",
                text.approvals.is_denied(&client.name, description),
                refusal.reason.to_string(),
            ),
            _ if client.allowed_scopes.contains(&definition.scope) => return None,
            // The edit form offers the scope.
            _ => (
                false,
                "edit",
                text.approvals.is_approved(&client.name, description),
                text.approvals.is_approved_hint.to_owned(),
            ),
        };
        let record = AttentionRecord {
            href: format!("/clients/{}/{page}", client.id),
            name: message.clone(),
            hint,
        };
        Some((is_denied, (message, record)))
    };
    // The newest request comes first.
    let (denials, decided): (Vec<bool>, Vec<_>) = asked.iter().rev().filter_map(decision).unzip();
    let (look, action) = match denials.contains(&true) {
        true => (("plain", "inbox"), text.show),
        false => (("good", "check"), text.approvals.add),
    };
    let folded = |count| text.approvals.decided_count(count);
    Ok(item(decided, look, action, folded))
}

/// One item for the records: the message of the only one, or their number in the words of `folded`,
/// with a list of them.
fn item(
    mut records: Vec<(String, AttentionRecord)>,
    (kind, icon): (&'static str, &'static str),
    action: &'static str,
    folded: impl Fn(usize) -> String,
) -> Option<AttentionItem> {
    let item = AttentionItem {
        kind,
        icon,
        message: folded(records.len()),
        hint: String::new(),
        href: String::new(),
        action,
        records: Vec::new(),
    };
    if records.len() > 1 {
        let records = records.into_iter().map(|(_, record)| record).collect();
        return Some(AttentionItem { records, ..item });
    }
    let (message, AttentionRecord { href, hint, .. }) = records.pop()?;
    Some(AttentionItem {
        message,
        hint,
        href,
        ..item
    })
}
