//! The lists for those who keep a copy: what changed since they last asked.

use super::answer::{Answer, Rest};
use super::failure::Failure;
use super::format::Format;
use super::paging::{self, List};
use super::parameters::Parameters;
use super::reply;
use crate::directory::{Changes, ChangesQuery, Cursor, Delta};
use crate::domain::{Invalid, Record};

/// The parameter of the cursor.
pub(super) const SINCE: &str = "updatedSince";

/// Takes `updatedSince` and, if it is there, `size`. There is nothing to choose in the order of changes, nor a page to leap to.
pub(super) fn take(parameters: &mut Parameters<'_>, default_size: u32) -> Result<Option<ChangesQuery<()>>, Failure> {
    let Some(since) = parameters.take(SINCE, cursor)? else { return Ok(None) };
    for name in ["page", "sortBy", "sortDirection"] {
        parameters.take(name, |_| Err::<(), _>(Invalid::new("does not go with updatedSince")))?;
    }
    let size = paging::take_size(parameters)?.unwrap_or(default_size);
    Ok(Some(ChangesQuery { since, filter: (), size }))
}

/// The answer with some changes. `write` appends the JSON of a record.
pub(super) fn answer<T, F>(
    list: &List,
    delta: &Delta<T>,
    query: &ChangesQuery<F>,
    write: impl Fn(&Record<T>, &mut Vec<u8>),
) -> Result<Answer, Failure> {
    let Delta::Told(changes) = delta else { return Err(Failure::UpdatedSinceUnknown { name: SINCE }) };
    let body = reply::list(&members(changes, query.size), list.field, changes.records.iter().map(|record| &**record), write);
    let rest = if changes.more() { Rest::Changes { path: list.path, next: changes.next } } else { Rest::None };
    Ok(Answer::new(Format::Json, body, rest))
}

/// The value of a `Link` header to the changes that follow.
pub(super) fn link(base: &str, query: &str, next: Cursor) -> String {
    format!("<{base}?{query}{SINCE}={next}>; rel=\"next\"")
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
