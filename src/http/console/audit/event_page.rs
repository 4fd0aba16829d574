//! Pages of audit events, which lead to newer and to older ones.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::domain::{AuditEntry, AuditFilter, AuditId};
use crate::http::console::error::Error;
use crate::http::console::query::Query;
use crate::http::console::views::PageLinks;
use crate::http::pages::texts::Texts;
use crate::store::AuditStore;

/// Number of events on a page.
const SIZE: usize = 20;

/// The page, by `before` and `after` of the query, of the events that any of the filters selects,
/// newest first.
pub(in crate::http::console) async fn load(
    trail: &Arc<dyn AuditStore>,
    any: &[AuditFilter],
    query: &Query<'_>,
    text: &'static Texts,
) -> Result<(Vec<AuditEntry>, PageLinks), Error> {
    let id = |name| {
        let id = query.value(name)?.parse().ok()?;
        AuditId::new(id).ok()
    };
    // One more entry than fits shows whether there is a further page.
    let most = u32::try_from(SIZE + 1).unwrap_or(u32::MAX);
    let (entries, has_newer, has_older) = match (id("after"), id("before")) {
        (Some(after), _) => {
            let mut entries = find_newer(trail, any, after, most).await?;
            let has_newer = entries.len() > SIZE;
            entries.truncate(SIZE);
            entries.reverse();
            (entries, has_newer, true)
        }
        (None, before) => {
            let mut entries = find(trail, any, before, most).await?;
            let has_older = entries.len() > SIZE;
            entries.truncate(SIZE);
            (entries, before.is_some(), has_older)
        }
    };
    let link = |entry: Option<&AuditEntry>, removed: &str, name: &str| {
        entry.map(|entry| query.href_in_place_of(&[removed], name, &entry.id.to_string()))
    };
    // A number that reads as that of all events must be it.
    let summary = match (has_newer, has_older) {
        (false, false) => text.entries(entries.len()),
        (false, true) => text.audit.newest_entries(entries.len()),
        (true, _) => text.audit.entries_here(entries.len()),
    };
    let links = PageLinks {
        summary,
        previous: link(entries.first().filter(|_| has_newer), "before", "after"),
        next: link(entries.last().filter(|_| has_older), "after", "before"),
    };
    Ok((entries, links))
}

/// Finds the newest `size` matching events, older than `before`, newest first.
pub(super) async fn find(
    trail: &Arc<dyn AuditStore>,
    any: &[AuditFilter],
    before: Option<AuditId>,
    size: u32,
) -> Result<Vec<AuditEntry>, Error> {
    let mut found = BTreeMap::new();
    for filter in any {
        let entries = trail.audit_records(filter, before, size).await?;
        found.extend(entries.into_iter().map(|entry| (entry.id.get(), entry)));
    }
    let newest = found.into_values().rev();
    Ok(newest.take(size as usize).collect())
}

/// Finds the oldest `size` matching events, newer than `after`, oldest first.
async fn find_newer(
    trail: &Arc<dyn AuditStore>,
    any: &[AuditFilter],
    after: AuditId,
    size: u32,
) -> Result<Vec<AuditEntry>, Error> {
    let mut found = BTreeMap::new();
    for filter in any {
        let entries = trail.audit_records_after(filter, after, size).await?;
        found.extend(entries.into_iter().map(|entry| (entry.id.get(), entry)));
    }
    Ok(found.into_values().take(size as usize).collect())
}
