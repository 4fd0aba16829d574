use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::tz::TimeZone;

use crate::domain::{AuditEntry, AuditFilter, AuditId, Date, Email, Timestamp};
use crate::http::audit::EventWord;
use crate::http::console::query::Query;
use crate::http::console::refusal::Refusal;
use crate::http::console::server::Server;
use crate::http::pages::Moment;
use crate::store::AuditTrail;

/// Which events an administrator wants to see.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) kind: Option<EventWord>,
    /// A person or something that has to do with the event, as it was typed.
    pub(super) who: String,
    /// Filters of which any may fit; none, if there is no such person.
    any: Vec<AuditFilter>,
}

/// A day is not one, or the first comes after the last.
#[derive(Debug)]
pub(super) struct NoSuchDays;

impl Wanted {
    pub(super) async fn of(server: &Server, query: &Query<'_>) -> Result<Result<Self, NoSuchDays>, Refusal> {
        let kind = query.value("what").and_then(|word| word.parse::<EventWord>().ok());
        let Ok((from, to)) = days(query, &server.zone) else { return Ok(Err(NoSuchDays)) };
        let kind_word = kind.and_then(|kind| kind.as_str().parse().ok());
        let common = AuditFilter { kind: kind_word, from, to, ..AuditFilter::default() };
        let who = query.value("who").unwrap_or_default().trim().to_owned();
        let any = if who.is_empty() { vec![common] } else { about(server, &who, &common).await? };
        Ok(Ok(Self { kind, who, any }))
    }

    /// The newest that fit, no more than so many.
    pub(super) async fn find(&self, trail: &Arc<dyn AuditTrail>, before: Option<AuditId>, size: u32) -> Result<Vec<AuditEntry>, Refusal> {
        let mut found = BTreeMap::new();
        for filter in &self.any {
            found.extend(trail.audit_records(filter, before, size).await?.into_iter().map(|entry| (entry.id.get(), entry)));
        }
        Ok(found.into_values().rev().take(usize::try_from(size).unwrap_or(usize::MAX)).collect())
    }
}

/// What may be meant by what somebody typed: one's address is looked up, and an id may be that of anything, also of what is gone.
async fn about(server: &Server, who: &str, common: &AuditFilter) -> Result<Vec<AuditFilter>, Refusal> {
    if let Ok(email) = who.parse::<Email>() {
        let Some(accounts) = server.doorkeeper.authenticator.accounts() else { return Ok(Vec::new()) };
        let account = accounts.store().account_by_email(&email).await?;
        return Ok(account.map(|account| AuditFilter { subject: Some(account.id.into()), ..common.clone() }).into_iter().collect());
    }
    let mut any = Vec::new();
    let mut add = |filter: AuditFilter| {
        if filter != *common {
            any.push(filter);
        }
    };
    add(AuditFilter { subject: who.parse().ok(), ..common.clone() });
    add(AuditFilter { client: who.parse().ok(), ..common.clone() });
    add(AuditFilter { application: who.parse().ok(), ..common.clone() });
    add(AuditFilter { grant: who.parse().ok(), ..common.clone() });
    add(AuditFilter { api_key: who.parse().ok(), ..common.clone() });
    Ok(any)
}

/// The first moment that is wanted, and the first that is not any more.
fn days(query: &Query<'_>, zone: &TimeZone) -> Result<(Option<Timestamp>, Option<Timestamp>), NoSuchDays> {
    let day = |name| query.value(name).map(|text| text.parse::<Date>().map_err(|_| NoSuchDays)).transpose();
    let (from, to) = (day("from")?, day("to")?);
    if from.zip(to).is_some_and(|(from, to)| from > to) {
        return Err(NoSuchDays);
    }
    let after = to.and_then(|to| to.plus_days(1));
    Ok((from.and_then(|day| Moment::start_of(day, zone)), after.and_then(|day| Moment::start_of(day, zone))))
}
