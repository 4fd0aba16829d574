use std::sync::{Arc, OnceLock};

use smol_str::SmolStr;

use super::bitmap_index::BitmapIndex;
use super::record_table::{PositionMap, RecordChange, RecordTable};
use super::selection::Selection;
use super::sort_order::SortOrder;
use super::text_index::TextIndex;
use crate::directory::delta::Cursor;
use crate::directory::resource::{
    Accessor, FilterValue, ParameterType, Query, QueryKind, RenderOptions, Resource,
    ResourceDefinition,
};
use crate::directory::version_history::History;
use crate::domain::Record;

/// The records of a [`Resource`] in memory, with the indexes and sort orders of its definition.
pub(in crate::directory) struct IndexedList<T> {
    resource: Arc<Resource<T>>,
    table: RecordTable<T>,
    /// The indexes of the filters, in the order of the parameters.
    indexes: Vec<Index>,
    orders: Vec<OnceLock<SortOrder>>,
    /// Positions sorted by the folded text of [`Resource::exact_match_parameter`].
    exact_match_index: Option<OnceLock<Vec<u32>>>,
    nested_records: usize,
}

enum Index {
    /// No index: the table finds ids.
    None,
    Numbers(BitmapIndex<i64>),
    Booleans(BitmapIndex<bool>),
    Enums(BitmapIndex<SmolStr>),
    Texts(TextIndex),
}

/// A list that executes queries, without the type of its records.
pub(crate) trait QueryableList: Send + Sync {
    fn definition(&self) -> &ResourceDefinition;

    /// Returns the result of the query; `None` if its cursor is unknown.
    fn select(&self, query: &Query, history: History<'_>) -> Option<ResultSet>;

    /// Appends the record at a position of the result as JSON.
    fn write_json(&self, position: u32, options: RenderOptions, out: &mut Vec<u8>);

    /// Returns the cached JSON of a record.
    fn cached_json(&self, position: u32) -> Option<&[u8]>;

    /// Estimates how many records are read to execute the query.
    fn estimated_cost(&self, query: &Query) -> usize;
}

/// The result of a query.
pub(crate) struct ResultSet {
    /// Number of matching records on all pages, or of records that changed since the cursor.
    pub(crate) total: u64,
    /// Positions of the returned records, in order.
    pub(crate) positions: Vec<u32>,
    /// The rest of the result of a query for changes.
    pub(crate) changes: Option<DeltaInfo>,
}

/// The cursor and the deleted ids of a result with changes.
pub(crate) struct DeltaInfo {
    /// The cursor for the next query.
    pub(crate) next: Cursor,
    /// Whether further changes follow.
    pub(crate) has_more: bool,
    /// Ids of records that were deleted or do not match the query.
    pub(crate) deleted: Vec<i64>,
}

impl<T: PartialEq + Send + Sync + 'static> IndexedList<T> {
    /// Creates a list without records.
    pub(in crate::directory) fn new(resource: Arc<Resource<T>>) -> Self {
        let exact_match_index = resource.exact_match_parameter().map(|_| OnceLock::new());
        let mut list = Self {
            table: RecordTable::default(),
            indexes: Vec::new(),
            orders: resource
                .sort_accessors
                .iter()
                .map(|_| OnceLock::new())
                .collect(),
            exact_match_index,
            nested_records: 0,
            resource,
        };
        list.indexes = list
            .resource
            .filter_accessors
            .iter()
            .map(|_| Index::None)
            .collect();
        list.with_changes(std::iter::empty())
    }

    /// Returns this list with changes applied, which are in ascending order of id.
    pub(in crate::directory) fn with_changes(
        &self,
        entries: impl Iterator<Item = RecordChange<T>>,
    ) -> Self {
        let (table, position_map) = self.table.with_changes(entries);
        let resource = Arc::clone(&self.resource);
        let parameters = resource
            .definition
            .parameters
            .iter()
            .zip(&resource.filter_accessors)
            .zip(&self.indexes);
        let indexes: Vec<Index> = parameters
            .map(|((parameter, read), before)| {
                Index::new(&table, &position_map, &parameter.kind, *read, before)
            })
            .collect();
        let exact_match_index = self
            .exact_match_index
            .as_ref()
            .zip(resource.exact_match_parameter())
            .map(
                |(exact_match_index, at)| match (exact_match_index.get(), &indexes[at]) {
                    (Some(before), Index::Texts(texts)) => {
                        OnceLock::from(texts.resorted(before, &position_map))
                    }
                    _ => OnceLock::new(),
                },
            );
        // An order in use is updated here, so that no request waits for sorting.
        let orders = resource
            .sort_accessors
            .iter()
            .zip(&self.orders)
            .map(|(read, order)| match order.get() {
                Some(before) => {
                    OnceLock::from(sorted(&table, *read, Some((before, &position_map))))
                }
                None => OnceLock::new(),
            });
        Self {
            nested_records: resource
                .nested_records
                .map_or(0, |count| table.values().map(count).sum()),
            orders: orders.collect(),
            exact_match_index,
            indexes,
            table,
            resource,
        }
    }

    pub(in crate::directory) fn len(&self) -> usize {
        self.table.len()
    }

    /// Returns the highest id of a record that is or was in the list.
    #[cfg(feature = "import")]
    pub(in crate::directory) fn highest_id(&self) -> Option<i64> {
        self.table.highest_id()
    }

    /// Returns the ids of the records that changed after the version `number`, also of removed ones.
    #[cfg(feature = "import")]
    pub(in crate::directory) fn changed_after(&self, number: u64) -> impl Iterator<Item = i64> {
        self.table.changed_after(number)
    }

    pub(in crate::directory) fn get(&self, id: i64) -> Option<&Arc<Record<T>>> {
        self.table.get(id)
    }

    /// Returns every value, in id order.
    pub(in crate::directory) fn values(&self) -> impl Iterator<Item = &T> {
        self.table.values()
    }

    pub(in crate::directory) fn record(&self, position: u32) -> &Arc<Record<T>> {
        self.table.record_at(position as usize)
    }

    /// Returns the values for which the parameter's field has this number, in id order.
    pub(in crate::directory) fn find_by_number(
        &self,
        parameter: &str,
        number: i64,
    ) -> impl Iterator<Item = &T> {
        let at = self
            .resource
            .definition
            .parameters
            .iter()
            .position(|known| known.name == parameter);
        let positions = match at.map(|at| &self.indexes[at]) {
            Some(Index::Numbers(index)) => index.positions(number),
            _ => Vec::new(),
        };
        positions
            .into_iter()
            .map(|position| self.table.value(position))
    }

    /// Returns the records whose folded text equals `folded`, in no particular order. The text is
    /// that of [`Resource::exact_match_parameter`].
    pub(in crate::directory) fn find_exact(
        &self,
        folded: String,
    ) -> impl Iterator<Item = &Arc<Record<T>>> {
        let texts = self
            .resource
            .exact_match_parameter()
            .and_then(|at| match &self.indexes[at] {
                Index::Texts(texts) => Some(texts),
                _ => None,
            });
        let found = texts
            .zip(self.exact_match_index.as_ref())
            .map(|(texts, exact_match_index)| {
                let sorted = exact_match_index.get_or_init(|| texts.sorted());
                let from = sorted
                    .partition_point(|position| texts.text(*position as usize) < folded.as_str());
                sorted[from..]
                    .iter()
                    .take_while(move |position| texts.text(**position as usize) == folded)
            });
        found
            .into_iter()
            .flatten()
            .map(|position| self.record(*position))
    }

    fn selection(&self, query: &Query) -> Selection {
        assert_eq!(
            query.list, self.resource.definition.name,
            "a query of another list"
        );
        let mut selected = Selection::all(self.table.len());
        let mut searched = Vec::new();
        for ((index, read), value) in self
            .indexes
            .iter()
            .zip(&self.resource.filter_accessors)
            .zip(&query.values)
        {
            match (index, read, value) {
                (_, Accessor::Id(_), Some(FilterValue::Number(id))) => {
                    selected.keep_only(self.table.position(*id).into_iter())
                }
                (Index::Numbers(index), _, Some(FilterValue::Number(number))) => {
                    index.keep(number, &mut selected)
                }
                (Index::Booleans(index), _, Some(FilterValue::Boolean(flag))) => {
                    index.keep(flag, &mut selected)
                }
                (Index::Enums(index), _, Some(FilterValue::Enum(word))) => {
                    index.keep(word.as_str(), &mut selected)
                }
                (Index::Texts(texts), _, Some(FilterValue::Search(term))) => {
                    searched.push((texts, term))
                }
                _ => {}
            }
        }
        if let Some(index) = self.exclusion_index() {
            query
                .excluded_values
                .iter()
                .for_each(|word| index.exclude(word.as_str(), &mut selected));
        }
        // Text searches come last, because they read every remaining record.
        searched
            .into_iter()
            .for_each(|(texts, term)| texts.keep(term, &mut selected));
        selected
    }

    /// The index that the exclusion flags use.
    fn exclusion_index(&self) -> Option<&BitmapIndex<SmolStr>> {
        match &self.indexes[self.resource.definition.exclusion_parameter()?] {
            Index::Enums(index) => Some(index),
            _ => None,
        }
    }

    /// Forgets records that were removed before this version.
    pub(in crate::directory) fn forget_removed(&mut self, before: u64) {
        self.table.forget_removed(before);
    }

    /// Returns a sort order, built on first use; `None` is the order of the table.
    fn order(&self, sort: Option<usize>) -> Option<&SortOrder> {
        sort.map(|at| {
            self.orders[at]
                .get_or_init(|| sorted(&self.table, self.resource.sort_accessors[at], None))
        })
    }
}

impl<T: PartialEq + Send + Sync + 'static> QueryableList for IndexedList<T> {
    fn definition(&self) -> &ResourceDefinition {
        &self.resource.definition
    }

    fn select(&self, query: &Query, history: History<'_>) -> Option<ResultSet> {
        let selection = self.selection(query);
        match query.kind {
            QueryKind::Page {
                sort,
                direction,
                page,
            } => {
                let (total, positions) =
                    self.table
                        .page(&selection, self.order(sort), direction, page);
                Some(ResultSet {
                    total: total as u64,
                    positions,
                    changes: None,
                })
            }
            QueryKind::Changes { since, size } => {
                self.table.changes(&selection, history, since, size)
            }
            QueryKind::Days(_) => Some(ResultSet {
                total: 0,
                positions: Vec::new(),
                changes: None,
            }),
        }
    }

    /// Caches the JSON if it is the same for all API keys. Records with nested records are not
    /// cached, because the nested ones would be in memory twice.
    fn write_json(&self, position: u32, options: RenderOptions, out: &mut Vec<u8>) {
        let record = self.record(position);
        if options.hidden.is_empty()
            && !options.render_flag
            && self.resource.nested_records.is_none()
        {
            out.extend_from_slice(
                record
                    .rendering_or_init(|out, value| self.resource.write_json(value, options, out)),
            );
        } else {
            self.resource.write_json(record.value(), options, out);
        }
    }

    fn cached_json(&self, position: u32) -> Option<&[u8]> {
        self.record(position).cached_rendering()
    }

    /// One page, if the query searches no text, its order is built and skips no excluded records,
    /// and records have no nested ones; otherwise all records.
    fn estimated_cost(&self, query: &Query) -> usize {
        let all = self.len() + self.nested_records;
        let QueryKind::Page { sort, page, .. } = query.kind else {
            return all;
        };
        let is_searched = query
            .values
            .iter()
            .any(|value| matches!(value, Some(FilterValue::Search(_))));
        let matches_all = query.values.iter().all(Option::is_none)
            && !query.excluded_values.iter().any(|word| {
                self.exclusion_index()
                    .is_some_and(|index| index.contains(word.as_str()))
            });
        let has_sorted_order = sort.is_none_or(|at| matches_all && self.orders[at].get().is_some());
        let needs_full_scan = is_searched || !has_sorted_order || self.nested_records > 0;
        if needs_full_scan {
            all
        } else {
            page.size() as usize
        }
    }
}

impl Index {
    /// Builds the index of a parameter of this kind. Unchanged folded texts are copied from
    /// `before`.
    fn new<T: PartialEq>(
        table: &RecordTable<T>,
        position_map: &PositionMap,
        kind: &ParameterType,
        read: Accessor<T>,
        before: &Self,
    ) -> Self {
        fn values<T: PartialEq, V>(
            table: &RecordTable<T>,
            read: impl Fn(&T) -> Option<V>,
        ) -> impl Iterator<Item = Option<V>> {
            table.values().map(read)
        }
        let len = table.len();
        match (read, kind) {
            (Accessor::Int(read), _) => Self::Numbers(BitmapIndex::new::<i64, _>(
                len,
                values(table, |value| read(value).map(i64::from)),
            )),
            (Accessor::Long(read), _) => {
                Self::Numbers(BitmapIndex::new::<i64, _>(len, values(table, read)))
            }
            (Accessor::Boolean(read), _) => {
                Self::Booleans(BitmapIndex::new::<bool, _>(len, values(table, read)))
            }
            (Accessor::Text(read), ParameterType::Enum(_)) => {
                Self::Enums(BitmapIndex::new::<str, _>(len, table.values().map(read)))
            }
            (Accessor::Text(read), _) => match before {
                Self::Texts(before) => {
                    Self::Texts(TextIndex::new((table, position_map), before, read))
                }
                _ => Self::Texts(TextIndex::new(
                    (table, position_map),
                    &TextIndex::default(),
                    read,
                )),
            },
            (Accessor::Id(_) | Accessor::Date(_) | Accessor::NotComparable, _) => Self::None,
        }
    }
}

/// Builds the sort order by an accessor, from the previous order if there is one.
fn sorted<T: PartialEq>(
    table: &RecordTable<T>,
    by: Accessor<T>,
    before: Option<(&SortOrder, &PositionMap)>,
) -> SortOrder {
    fn order<'a, T: PartialEq, K: Ord>(
        table: &'a RecordTable<T>,
        before: Option<(&SortOrder, &PositionMap)>,
        key: impl Fn(&'a T) -> Option<K> + Copy,
    ) -> SortOrder {
        before.map_or_else(
            || SortOrder::new(table, key),
            |(order, position_map)| order.with_changes(table, position_map, key),
        )
    }
    match by {
        Accessor::Id(read) => order(table, before, |value| Some(read(value))),
        Accessor::Int(read) => order(table, before, read),
        Accessor::Long(read) => order(table, before, read),
        Accessor::Boolean(read) => order(table, before, read),
        Accessor::Date(read) => order(table, before, read),
        Accessor::Text(read) => order(table, before, read),
        Accessor::NotComparable => order(table, before, |_| None::<i64>),
    }
}
