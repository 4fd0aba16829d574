//! The lists for those who keep a copy: what changed since they last asked.

use std::sync::Arc;

use bytes::Bytes;
use http::header::LINK;
use http::{HeaderValue, Response};

use super::failure::Failure;
use super::paging::{self, List};
use super::parameters::Parameters;
use super::question::Manner;
use super::reply;
use crate::directory::{Changes, ChangesQuery, Cursor, Delta};
use crate::domain::{HiddenFields, Invalid, Record};
use crate::http::Body;

const SINCE: &str = "updatedSince";

/// Takes `updatedSince` and, if it is there, `size`. There is nothing to choose in the order of changes, nor a page to leap to.
pub(super) fn take(parameters: &mut Parameters<'_>, default_size: u32) -> Result<Option<ChangesQuery<()>>, Failure> {
    let Some(since) = parameters.take(SINCE, cursor)? else { return Ok(None) };
    for name in ["page", "sortBy", "sortDirection"] {
        parameters.take(name, |_| Err::<(), _>(Invalid::new("does not go with updatedSince")))?;
    }
    let size = paging::take_size(parameters)?.unwrap_or(default_size);
    Ok(Some(ChangesQuery { since, filter: (), size }))
}

/// The answer with some changes, and a link to those that follow. `alternate` and `render` are as in [`paging::answer`].
pub(super) fn answer<T: Send + Sync + 'static, F>(
    list: &List,
    delta: Delta<T>,
    query: &ChangesQuery<F>,
    manner: &Manner<'_>,
    alternate: bool,
    render: impl Fn(&T, HiddenFields) -> Bytes,
) -> Result<Response<Body>, Failure> {
    let Delta::Told(changes) = delta else { return Err(Failure::UpdatedSinceUnknown { name: SINCE }) };
    let (members, hidden) = (members(&changes, query.size), manner.hidden);
    let mut response = if hidden.is_empty() {
        reply::list(&members, list.field, &changes.records, |record| record.rendered(alternate, |value| render(value, hidden)))
    } else {
        let shown: Vec<_> = changes.records.iter().map(|record| Arc::new(Record::new(render(record.value(), hidden)))).collect();
        reply::list(&members, list.field, &shown, Record::value)
    };
    if changes.more() {
        let (base, query) = (manner.settings.link_base(list.path), manner.taken.query_without(SINCE));
        let link = format!("<{base}?{query}{SINCE}={}>; rel=\"next\"", changes.next);
        if let Ok(link) = HeaderValue::try_from(link) {
            response.headers_mut().insert(LINK, link);
        }
    }
    Ok(response)
}

/// What stands before the list.
fn members<T>(changes: &Changes<T>, size: u32) -> String {
    let (total, next, more) = (changes.total, changes.next, changes.more());
    let pages = total.div_ceil(size.into());
    let deleted = changes.gone.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
    format!(r#""totalPages":{pages},"totalElements":{total},"cursor":"{next}","more":{more},"deleted":[{deleted}],"#)
}

/// What `updatedSince` says: nothing is known yet, or a cursor.
fn cursor(text: &str) -> Result<Option<Cursor>, Invalid> {
    const RULE: Invalid = Invalid::new("must be 0 or the cursor of an answer before");
    if text == "0" { Ok(None) } else { text.parse().map(Some).map_err(|_| RULE) }
}
