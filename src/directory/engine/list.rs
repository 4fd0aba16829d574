use std::sync::{Arc, OnceLock};

use smol_str::SmolStr;

use super::order::Order;
use super::record_table::{Entry, Moves, RecordTable};
use super::selection::Selection;
use super::text_index::TextIndex;
use super::value_index::ValueIndex;
use crate::directory::changes::Cursor;
use crate::directory::history::History;
use crate::directory::resource::{Accessor, Definition, ParameterType, Query, RenderOptions, Request, Resource, Value};
use crate::domain::Record;

/// The records of a [`Resource`] in memory, with the indexes and orders that its definition asks for.
pub(in crate::directory) struct List<T> {
    resource: Arc<Resource<T>>,
    table: RecordTable<T>,
    /// For each parameter of the definition the index of what it is compared with.
    indexes: Vec<Index>,
    orders: Vec<OnceLock<Order>>,
    /// The positions by the text of the parameter that is looked up whole.
    by_text: Option<OnceLock<Vec<u32>>>,
    inner_records: usize,
}

enum Index {
    /// Ids are found in the table.
    None,
    Numbers(ValueIndex<i64>),
    Flags(ValueIndex<bool>),
    Words(ValueIndex<SmolStr>),
    Texts(TextIndex),
}

/// A list that answers queries, whatever its records are.
pub(crate) trait Listed: Send + Sync {
    fn definition(&self) -> &Definition;

    /// The records that the query asks for; `None` if it goes on from a cursor that is not known.
    fn select(&self, query: &Query, history: History<'_>) -> Option<Selected>;

    /// Appends a record of the selected ones as JSON.
    fn write(&self, position: u32, options: RenderOptions, out: &mut Vec<u8>);

    /// The JSON of a record, if it is kept.
    fn kept(&self, position: u32) -> Option<&[u8]>;

    /// About how many records are looked at to answer this.
    fn looked_at(&self, query: &Query) -> usize;
}

/// The records that a query found.
pub(crate) struct Selected {
    /// How many records match on all pages, or changed since the cursor.
    pub(crate) total: u64,
    /// Those of this answer, in order.
    pub(crate) positions: Vec<u32>,
    /// What goes with them if changes were asked for.
    pub(crate) changes: Option<ChangeInfo>,
}

/// The cursor and the deleted ids of an answer with changes.
pub(crate) struct ChangeInfo {
    /// Where to go on.
    pub(crate) next: Cursor,
    /// Whether there is more to be told after these.
    pub(crate) more: bool,
    /// The ids of records that are not there any more, or not wanted.
    pub(crate) gone: Vec<i64>,
}

impl<T: PartialEq + Send + Sync + 'static> List<T> {
    /// A list without records.
    pub(in crate::directory) fn new(resource: Arc<Resource<T>>) -> Self {
        let by_text = resource.exact_parameter().map(|_| OnceLock::new());
        let mut list = Self {
            table: RecordTable::default(),
            indexes: Vec::new(),
            orders: resource.sorts.iter().map(|_| OnceLock::new()).collect(),
            by_text,
            inner_records: 0,
            resource,
        };
        list.indexes = list.resource.conditions.iter().map(|_| Index::None).collect();
        list.after(std::iter::empty())
    }

    /// This list after some records changed, in ascending order of id.
    pub(in crate::directory) fn after(&self, entries: impl Iterator<Item = Entry<T>>) -> Self {
        let (table, moves) = self.table.after(entries);
        let resource = Arc::clone(&self.resource);
        let parameters = resource.definition.parameters.iter().zip(&resource.conditions).zip(&self.indexes);
        let indexes: Vec<Index> =
            parameters.map(|((parameter, read), before)| Index::new(&table, &moves, &parameter.kind, *read, before)).collect();
        let by_text = self.by_text.as_ref().zip(resource.exact_parameter()).map(|(by_text, at)| match (by_text.get(), &indexes[at]) {
            (Some(before), Index::Texts(texts)) => OnceLock::from(texts.resorted(before, &moves)),
            _ => OnceLock::new(),
        });
        // An order that was asked for before will be asked for again: no reader waits until it is sorted.
        let orders = resource.sorts.iter().zip(&self.orders).map(|(read, order)| match order.get() {
            Some(before) => OnceLock::from(sorted(&table, *read, Some((before, &moves)))),
            None => OnceLock::new(),
        });
        Self {
            inner_records: resource.inner_records.map_or(0, |count| table.values().map(count).sum()),
            orders: orders.collect(),
            by_text,
            indexes,
            table,
            resource,
        }
    }

    pub(in crate::directory) fn len(&self) -> usize {
        self.table.len()
    }

    pub(in crate::directory) fn get(&self, id: i64) -> Option<&Arc<Record<T>>> {
        self.table.get(id)
    }

    /// Every value, in id order.
    pub(in crate::directory) fn values(&self) -> impl Iterator<Item = &T> {
        self.table.values()
    }

    pub(in crate::directory) fn record(&self, position: u32) -> &Arc<Record<T>> {
        self.table.record_at(position as usize)
    }

    /// The records with this number where the parameter compares, in id order.
    pub(in crate::directory) fn with_number(&self, parameter: &str, number: i64) -> impl Iterator<Item = &T> {
        let at = self.resource.definition.parameters.iter().position(|known| known.name == parameter);
        let positions = match at.map(|at| &self.indexes[at]) {
            Some(Index::Numbers(index)) => index.positions(number),
            _ => Vec::new(),
        };
        positions.into_iter().map(|position| self.table.value(position))
    }

    /// The records whose whole text is this one, folded, in no order: by the text that the definition looks up.
    pub(in crate::directory) fn with_text(&self, folded: String) -> impl Iterator<Item = &Arc<Record<T>>> {
        let texts = self.resource.exact_parameter().and_then(|at| match &self.indexes[at] {
            Index::Texts(texts) => Some(texts),
            _ => None,
        });
        let found = texts.zip(self.by_text.as_ref()).map(|(texts, by_text)| {
            let sorted = by_text.get_or_init(|| texts.sorted());
            let from = sorted.partition_point(|position| texts.at(*position as usize) < folded.as_str());
            sorted[from..].iter().take_while(move |position| texts.at(**position as usize) == folded)
        });
        found.into_iter().flatten().map(|position| self.record(*position))
    }

    fn selection(&self, query: &Query) -> Selection {
        assert_eq!(query.list, self.resource.definition.name, "a query of another list");
        let mut selected = Selection::all(self.table.len());
        let mut searched = Vec::new();
        for ((index, read), value) in self.indexes.iter().zip(&self.resource.conditions).zip(&query.values) {
            match (index, read, value) {
                (_, Accessor::Id(_), Some(Value::Number(id))) => selected.keep_only(self.table.position(*id).into_iter()),
                (Index::Numbers(index), _, Some(Value::Number(number))) => index.keep(number, &mut selected),
                (Index::Flags(index), _, Some(Value::Flag(flag))) => index.keep(flag, &mut selected),
                (Index::Words(index), _, Some(Value::Word(word))) => index.keep(word.as_str(), &mut selected),
                (Index::Texts(texts), _, Some(Value::Search(needle))) => searched.push((texts, needle)),
                _ => {}
            }
        }
        if let Some(index) = self.excludable() {
            query.excluded.iter().for_each(|word| index.exclude(word.as_str(), &mut selected));
        }
        // Last, as they look at every record that is left.
        searched.into_iter().for_each(|(texts, needle)| texts.keep(needle, &mut selected));
        selected
    }

    /// The index by whose words flags leave records out.
    fn excludable(&self) -> Option<&ValueIndex<SmolStr>> {
        match &self.indexes[self.resource.definition.excluding_parameter()?] {
            Index::Words(index) => Some(index),
            _ => None,
        }
    }

    /// Forgets records that were removed before this version.
    pub(in crate::directory) fn forget_removed(&mut self, before: u64) {
        self.table.forget_removed(before);
    }

    /// `None` is the order of the table.
    fn order(&self, sort: Option<usize>) -> Option<&Order> {
        sort.map(|at| self.orders[at].get_or_init(|| sorted(&self.table, self.resource.sorts[at], None)))
    }
}

impl<T: PartialEq + Send + Sync + 'static> Listed for List<T> {
    fn definition(&self) -> &Definition {
        &self.resource.definition
    }

    fn select(&self, query: &Query, history: History<'_>) -> Option<Selected> {
        let selection = self.selection(query);
        match query.request {
            Request::Page { sort, direction, page } => {
                let (total, positions) = self.table.page(&selection, self.order(sort), direction, page);
                Some(Selected { total: total as u64, positions, changes: None })
            }
            Request::Changes { since, size } => self.table.changes(&selection, history, since, size),
            Request::Days(_) => Some(Selected { total: 0, positions: Vec::new(), changes: None }),
        }
    }

    /// Keeps the JSON of a record if all keys share it. A record with nested ones is not kept: they would be in memory twice.
    fn write(&self, position: u32, options: RenderOptions, out: &mut Vec<u8>) {
        let record = self.record(position);
        if options.hidden.is_empty() && !options.switch && self.resource.inner_records.is_none() {
            out.extend_from_slice(record.rendered(|out, value| self.resource.write(value, options, out)));
        } else {
            self.resource.write(record.value(), options, out);
        }
    }

    fn kept(&self, position: u32) -> Option<&[u8]> {
        self.record(position).kept()
    }

    /// All records if text is searched, or an order is built or walked along past records that the filters rule out; otherwise one page.
    fn looked_at(&self, query: &Query) -> usize {
        let all = self.len() + self.inner_records;
        let Request::Page { sort, page, .. } = query.request else { return all };
        let is_searched = query.values.iter().any(|value| matches!(value, Some(Value::Search(_))));
        let finds_all = query.values.iter().all(Option::is_none)
            && !query.excluded.iter().any(|word| self.excludable().is_some_and(|index| index.has(word.as_str())));
        let is_laid_out = sort.is_none_or(|at| finds_all && self.orders[at].get().is_some());
        let is_read_whole = is_searched || !is_laid_out || self.inner_records > 0;
        if is_read_whole { all } else { page.size() as usize }
    }
}

impl Index {
    /// The index of what a parameter of this kind compares; what `before` has of a text is not made again.
    fn new<T: PartialEq>(table: &RecordTable<T>, moves: &Moves, kind: &ParameterType, read: Accessor<T>, before: &Self) -> Self {
        fn values<T: PartialEq, V>(table: &RecordTable<T>, read: impl Fn(&T) -> Option<V>) -> impl Iterator<Item = Option<V>> {
            table.values().map(read)
        }
        let len = table.len();
        match (read, kind) {
            (Accessor::Int(read), _) => Self::Numbers(ValueIndex::new::<i64, _>(len, values(table, |value| read(value).map(i64::from)))),
            (Accessor::Long(read), _) => Self::Numbers(ValueIndex::new::<i64, _>(len, values(table, read))),
            (Accessor::Flag(read), _) => Self::Flags(ValueIndex::new::<bool, _>(len, values(table, read))),
            (Accessor::Text(read), ParameterType::Words(_)) => Self::Words(ValueIndex::new::<str, _>(len, table.values().map(read))),
            (Accessor::Text(read), _) => match before {
                Self::Texts(before) => Self::Texts(TextIndex::new((table, moves), before, read)),
                _ => Self::Texts(TextIndex::new((table, moves), &TextIndex::default(), read)),
            },
            (Accessor::Id(_) | Accessor::Date(_) | Accessor::Nothing, _) => Self::None,
        }
    }
}

/// The order of the records by this, made of the one before if there is one.
fn sorted<T: PartialEq>(table: &RecordTable<T>, by: Accessor<T>, before: Option<(&Order, &Moves)>) -> Order {
    fn order<'a, T: PartialEq, K: Ord>(
        table: &'a RecordTable<T>,
        before: Option<(&Order, &Moves)>,
        key: impl Fn(&'a T) -> Option<K> + Copy,
    ) -> Order {
        before.map_or_else(|| Order::new(table, key), |(order, moves)| order.after(table, moves, key))
    }
    match by {
        Accessor::Id(read) => order(table, before, |value| Some(read(value))),
        Accessor::Int(read) => order(table, before, read),
        Accessor::Long(read) => order(table, before, read),
        Accessor::Flag(read) => order(table, before, read),
        Accessor::Date(read) => order(table, before, read),
        Accessor::Text(read) => order(table, before, read),
        Accessor::Nothing => order(table, before, |_| None::<i64>),
    }
}
