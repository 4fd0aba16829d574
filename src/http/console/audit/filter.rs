use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::tz::TimeZone;

use crate::domain::{AuditEntry, AuditFilter, AuditId, Date, Email, Timestamp};
use crate::http::audit::EventName;
use crate::http::console::error::Error;
use crate::http::console::query::Query;
use crate::http::console::server::Server;
use crate::http::pages::DisplayTime;
use crate::store::AuditStore;

/// Filter for audit events, as submitted by an administrator.
#[derive(Debug)]
pub(super) struct EventFilter {
    pub(super) kind: Option<EventName>,
    /// The submitted text: an e-mail address, or the id of a user, client, application, grant or
    /// API key.
    pub(super) who: String,
    /// Alternative store filters; empty if nothing can match.
    any: Vec<AuditFilter>,
}

/// A date is invalid, or the first day is after the last.
#[derive(Debug)]
pub(super) struct InvalidDateRange;

impl EventFilter {
    pub(super) async fn from_query(
        server: &Server,
        query: &Query<'_>,
    ) -> Result<Result<Self, InvalidDateRange>, Error> {
        let kind = query
            .value("what")
            .and_then(|word| word.parse::<EventName>().ok());
        let Ok((from, to)) = date_range(query, server.zone()) else {
            return Ok(Err(InvalidDateRange));
        };
        let kind_word = kind.and_then(|kind| kind.as_str().parse().ok());
        let common = AuditFilter {
            kind: kind_word,
            from,
            to,
            ..AuditFilter::default()
        };
        let who = query.value("who").unwrap_or_default().trim().to_owned();
        let any = if who.is_empty() {
            vec![common]
        } else {
            filters_for(server, &who, &common).await?
        };
        Ok(Ok(Self { kind, who, any }))
    }

    /// Finds the newest `size` matching events, older than `before`.
    pub(super) async fn find(
        &self,
        trail: &Arc<dyn AuditStore>,
        before: Option<AuditId>,
        size: u32,
    ) -> Result<Vec<AuditEntry>, Error> {
        let mut found = BTreeMap::new();
        for filter in &self.any {
            found.extend(
                trail
                    .audit_records(filter, before, size)
                    .await?
                    .into_iter()
                    .map(|entry| (entry.id.get(), entry)),
            );
        }
        Ok(found
            .into_values()
            .rev()
            .take(usize::try_from(size).unwrap_or(usize::MAX))
            .collect())
    }
}

/// Store filters for the submitted text. An e-mail address is resolved to its account. Any other
/// text may be an id of any kind, also of a removed record.
async fn filters_for(
    server: &Server,
    who: &str,
    common: &AuditFilter,
) -> Result<Vec<AuditFilter>, Error> {
    if let Ok(email) = who.parse::<Email>() {
        let Some(accounts) = server.accounts() else {
            return Ok(Vec::new());
        };
        let account = accounts.store().account_by_email(&email).await?;
        return Ok(account
            .map(|account| AuditFilter {
                subject: Some(account.id.into()),
                ..common.clone()
            })
            .into_iter()
            .collect());
    }
    let mut any = Vec::new();
    let mut add = |filter: AuditFilter| {
        if filter != *common {
            any.push(filter);
        }
    };
    add(AuditFilter {
        subject: who.parse().ok(),
        ..common.clone()
    });
    add(AuditFilter {
        client: who.parse().ok(),
        ..common.clone()
    });
    add(AuditFilter {
        application: who.parse().ok(),
        ..common.clone()
    });
    add(AuditFilter {
        grant: who.parse().ok(),
        ..common.clone()
    });
    add(AuditFilter {
        api_key: who.parse().ok(),
        ..common.clone()
    });
    Ok(any)
}

/// Start (inclusive) and end (exclusive) of the submitted days.
fn date_range(
    query: &Query<'_>,
    zone: &TimeZone,
) -> Result<(Option<Timestamp>, Option<Timestamp>), InvalidDateRange> {
    let day = |name| {
        query
            .value(name)
            .map(|text| text.parse::<Date>().map_err(|_| InvalidDateRange))
            .transpose()
    };
    let (from, to) = (day("from")?, day("to")?);
    if from.zip(to).is_some_and(|(from, to)| from > to) {
        return Err(InvalidDateRange);
    }
    let after = to.and_then(|to| to.plus_days(1));
    Ok((
        from.and_then(|day| DisplayTime::start_of_day(day, zone)),
        after.and_then(|day| DisplayTime::start_of_day(day, zone)),
    ))
}
