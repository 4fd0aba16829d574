use std::fmt;
#[cfg(any(feature = "console", feature = "import"))]
use std::ops::RangeInclusive;
use std::sync::Arc;

use serde_json::Value as Json;

use super::field::Accessor;
use super::object::{Object, ObjectType, RenderOptions};
use super::parameter::{ParameterInfo, ParameterType};
use super::parse_query::{CONSOLE_KEY, PAGE_PARAMETERS, UPDATED_SINCE};
use crate::domain::{ApiScope, Date, InvalidValue, PersonalField};

/// The definition of a list of the data API: its path, the scope that an API key needs, and the
/// fields of its records.
///
/// ```
/// use lyceum::directory::{Field, Object, Parameter, Resource};
///
/// struct Room {
///     id: i64,
///     name: String,
///     seats: i32,
/// }
///
/// type F = Field<Room>;
/// let fields = [
///     F::id("id", |room| room.id).filter(Parameter::new("roomId", "The room with this id.")),
///     F::text("name", |room| Some(&room.name)).filter(Parameter::new("name", "Part of the name.").pinned()).sort("NAME"),
///     F::int("seats", |room| Some(room.seats)).range(1..=500).filter(Parameter::new("seats", "The seats.")).sort("SEATS"),
/// ];
/// let rooms = Resource::new("rooms", "/v1/rooms", "ROOM_READ".parse()?, Object::new("Room", "A room.", fields));
/// # Ok::<_, lyceum::domain::InvalidValue>(())
/// ```
pub struct Resource<T> {
    pub(in crate::directory) definition: ResourceDefinition,
    pub(in crate::directory) object: Object<T>,
    /// Accessors of the values that the parameters filter by, in the order of the parameters.
    pub(in crate::directory) filter_accessors: Vec<Accessor<T>>,
    /// Accessors of the values that the orders sort by, in the order of `sorts`.
    pub(in crate::directory) sort_accessors: Vec<Accessor<T>>,
    pub(in crate::directory) day: Option<fn(&T) -> Date>,
    /// The parameter whose field also has an exact-match index.
    exact_match: Option<&'static str>,
    /// Counts the nested records of a record.
    pub(in crate::directory) nested_records: Option<fn(&T) -> usize>,
}

/// A definition without the type of its records.
#[derive(Debug)]
pub(crate) struct ResourceDefinition {
    pub(crate) name: &'static str,
    pub(crate) path: &'static str,
    pub(crate) scope: ApiScope,
    /// The name in OpenAPI and the console.
    pub(crate) title: &'static str,
    pub(crate) pagination: Pagination,
    pub(crate) record: Arc<ObjectType>,
    pub(crate) parameters: Vec<ParameterInfo>,
    pub(crate) sorts: Vec<SortInfo>,
    pub(crate) render_flag: Option<FlagInfo>,
    pub(crate) exclusion_flags: Option<ExclusionFlags>,
    pub(crate) example: Option<Json>,
    /// The value of `sortBy` that the console's table has if the user chose none.
    pub(crate) browse_sort: Option<&'static str>,
    /// Parameters that OpenAPI lists after the others.
    pub(crate) documented_last: &'static [&'static str],
}

/// A sort order of a list.
#[derive(Debug)]
pub(crate) struct SortInfo {
    pub(crate) name: &'static str,
    pub(crate) field: &'static str,
    /// An API key without access to this field may not sort by it, because the order reveals
    /// values.
    pub(crate) personal: Option<PersonalField>,
    pub(crate) is_id: bool,
}

/// How a list is divided into responses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pagination {
    /// Pages with this default size. Clients can also query for changes.
    Pages { size: u32 },
    /// All records of a range of days.
    Days,
}

/// A boolean parameter that is `false` if absent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlagInfo {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
}

/// Flags that together exclude records by the value of an enumeration.
#[derive(Debug)]
pub(crate) struct ExclusionFlags {
    pub(crate) flags: Vec<FlagInfo>,
    /// The parameter that filters by the enumeration.
    pub(super) parameter: &'static str,
    /// Whether records with the value are included, given the values of the flags.
    pub(super) includes: fn(&[bool], &str) -> bool,
}

impl<T: 'static> Resource<T> {
    /// Creates the definition of a list in pages of 100. `name` is its name in `data`; `scope` is
    /// the scope that its API keys need. [`RecordList::new`](crate::directory::RecordList::new)
    /// refuses records without an [id](super::Field::id).
    pub fn new(name: &'static str, path: &'static str, scope: ApiScope, object: Object<T>) -> Self {
        let (mut parameters, mut filter_accessors, mut sort_accessors, mut sort_infos) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for field in object.fields() {
            if let Some(parameter) = field.parameter() {
                parameters.push(parameter);
                filter_accessors.push(field.read);
            }
            if let Some(name) = field
                .info
                .sort
                .filter(|_| !matches!(field.read, Accessor::NotComparable))
            {
                sort_accessors.push(field.read);
                let is_id = matches!(field.read, Accessor::Id(_));
                sort_infos.push(SortInfo {
                    name,
                    field: field.info.name,
                    personal: field.info.personal,
                    is_id,
                });
            }
        }
        let definition = ResourceDefinition {
            name,
            path,
            scope,
            title: name,
            pagination: Pagination::Pages { size: 100 },
            record: Arc::clone(object.ty()),
            parameters,
            sorts: sort_infos,
            render_flag: None,
            exclusion_flags: None,
            example: None,
            browse_sort: None,
            documented_last: &[],
        };
        Self {
            definition,
            object,
            filter_accessors,
            sort_accessors,
            day: None,
            exact_match: None,
            nested_records: None,
        }
    }

    /// Sets the name of the list in OpenAPI and the console; `name` by default.
    pub fn title(mut self, title: &'static str) -> Self {
        self.definition.title = title;
        self
    }

    /// Sets the default size of a page, 1–1000; 100 by default.
    pub fn page_size(mut self, size: u32) -> Self {
        self.definition.pagination = Pagination::Pages {
            size: size.clamp(1, crate::domain::PageRequest::MAX_SIZE),
        };
        self
    }

    /// Sets the example record of OpenAPI, as JSON.
    pub fn example(mut self, record: Json) -> Self {
        self.definition.example = Some(record);
        self
    }

    /// Lists the records of a range of days instead of pages.
    pub(in crate::directory) fn by_day(mut self, day: fn(&T) -> Date) -> Self {
        self.definition.pagination = Pagination::Days;
        self.day = Some(day);
        self
    }

    /// Sets the order of the console's table if the user chose none, as a value of `sortBy`. By
    /// default it is sorted by id.
    pub(in crate::directory) fn browse_by(mut self, sort: &'static str) -> Self {
        self.definition.browse_sort = Some(sort);
        self
    }

    /// Adds an exact-match index for the text field of this parameter.
    pub(in crate::directory) fn exact_match_index(mut self, parameter: &'static str) -> Self {
        self.exact_match = Some(parameter);
        self
    }

    /// Returns the position of the parameter with the exact-match index.
    pub(in crate::directory) fn exact_match_parameter(&self) -> Option<usize> {
        let name = self.exact_match?;
        self.definition
            .parameters
            .iter()
            .position(|known| known.name == name)
    }

    /// Adds a boolean parameter that is passed to [`Field::objects`](super::Field::objects).
    pub(in crate::directory) fn render_flag(
        mut self,
        name: &'static str,
        description: &'static str,
    ) -> Self {
        self.definition.render_flag = Some(FlagInfo { name, description });
        self
    }

    /// Sets how many nested records a record has. They count towards the cost of a query, and the
    /// JSON of such records is not cached.
    pub fn nested_records(mut self, count: fn(&T) -> usize) -> Self {
        self.nested_records = Some(count);
        self
    }

    /// Adds flags that together exclude records by the value of the enumeration that `parameter`
    /// filters by. `includes` receives the values of the flags in order and a value of the
    /// enumeration, and returns whether the list includes records with that value.
    pub(in crate::directory) fn exclusion_flags(
        mut self,
        parameter: &'static str,
        flags: impl IntoIterator<Item = (&'static str, &'static str)>,
        includes: fn(&[bool], &str) -> bool,
    ) -> Self {
        let flags = flags
            .into_iter()
            .map(|(name, description)| FlagInfo { name, description })
            .collect();
        self.definition.exclusion_flags = Some(ExclusionFlags {
            flags,
            parameter,
            includes,
        });
        self
    }

    /// Sets the order of the parameters and of the values of `sortBy`, which is visible in links
    /// and error messages. Those not named follow in the order of the fields.
    pub(in crate::directory) fn reorder(mut self, parameters: &[&str], sorts: &[&str]) -> Self {
        let has = |name: &&str| {
            self.definition
                .parameters
                .iter()
                .any(|parameter| parameter.name == *name)
        };
        debug_assert!(parameters.iter().all(has), "the list has no such parameter");
        let place = |names: &[&str], name: &str| {
            names
                .iter()
                .position(|named| *named == name)
                .unwrap_or(names.len())
        };
        let mut by_parameter: Vec<_> = self
            .definition
            .parameters
            .into_iter()
            .zip(self.filter_accessors)
            .collect();
        by_parameter.sort_by_key(|(parameter, _)| place(parameters, parameter.name));
        (self.definition.parameters, self.filter_accessors) = by_parameter.into_iter().unzip();
        let mut by_sort: Vec<_> = self
            .definition
            .sorts
            .into_iter()
            .zip(self.sort_accessors)
            .collect();
        by_sort.sort_by_key(|(sort, _)| place(sorts, sort.name));
        (self.definition.sorts, self.sort_accessors) = by_sort.into_iter().unzip();
        self
    }

    /// Lists these parameters after the others in OpenAPI.
    pub(in crate::directory) fn documented_last(
        mut self,
        parameters: &'static [&'static str],
    ) -> Self {
        self.definition.documented_last = parameters;
        self
    }

    /// Checks the numbers and enumeration values of a record. The error is the first invalid field
    /// and the rule that it breaks. A value that the record had before is accepted, so that old
    /// records stay editable.
    pub(in crate::directory) fn check(
        &self,
        record: &T,
        before: Option<&T>,
    ) -> Result<(), (&'static str, InvalidValue)> {
        self.object.fields().iter().try_for_each(|field| {
            let Some(value) = field.read.value(record) else {
                return Ok(());
            };
            let is_old =
                || before.and_then(|before| field.read.value(before)).as_ref() == Some(&value);
            match field.parameter_type().map(|kind| kind.check(&value)) {
                Some(Err(rule)) if !is_old() => Err((field.info.name, rule)),
                _ => Ok(()),
            }
        })
    }

    /// Returns the first rule that the definition breaks.
    pub(in crate::directory) fn validation_error(&self) -> Option<InvalidValue> {
        let repeated =
            |names: Vec<&'static str>| (1..names.len()).any(|at| names[..at].contains(&names[at]));
        let ids = self
            .object
            .fields()
            .iter()
            .filter(|field| matches!(field.read, Accessor::Id(_)))
            .count();
        let has_bad_default = self.definition.parameters.iter().any(|parameter| {
            match (&parameter.default, &parameter.kind) {
                (Some(value), ParameterType::Enum(values)) => {
                    !values.contains(value) || parameter.personal.is_some()
                }
                (default, _) => default.is_some(),
            }
        });
        let written: Vec<_> = self
            .definition
            .record
            .fields
            .iter()
            .map(|field| field.name)
            .collect();
        let parameters = self
            .definition
            .parameters
            .iter()
            .flat_map(|parameter| std::iter::once(parameter.name).chain(parameter.alias));
        let parameters: Vec<_> = [UPDATED_SINCE, CONSOLE_KEY]
            .into_iter()
            .chain(PAGE_PARAMETERS)
            .chain(parameters)
            .collect();
        let is_of_console = parameters.iter().any(|name| name.starts_with('_'));
        let is_misconfigured = self
            .object
            .fields()
            .iter()
            .any(|field| field.is_misconfigured());
        let problems = [
            (ids != 1, "must have one field for the id"),
            (
                !written.iter().all(|name| is_identifier(name)),
                "must have fields whose names are words of ASCII letters, digits, hyphens and underscores",
            ),
            (
                repeated(written),
                "must have a different name for each field",
            ),
            (
                has_bad_default,
                "must have defaults that are words of fields which no key does without",
            ),
            (
                is_of_console,
                "must have parameters whose names begin with no underscore, as those of the console do",
            ),
            (
                repeated(parameters),
                "must have a different name for each parameter, none of them one of the data API's own",
            ),
            (
                repeated(self.definition.sort_names().collect()),
                "must have a different word for each order",
            ),
            (
                is_misconfigured,
                "must filter and sort by fields that can be compared",
            ),
        ];
        problems
            .into_iter()
            .find(|(is_there, _)| *is_there)
            .map(|(_, rule)| InvalidValue::new(rule))
    }

    pub(crate) const fn definition(&self) -> &ResourceDefinition {
        &self.definition
    }

    /// Appends a record as JSON.
    pub(crate) fn write_json(&self, record: &T, options: RenderOptions, out: &mut Vec<u8>) {
        self.object.write_json(record, options, out);
    }

    /// Returns the accessor of the id.
    pub(in crate::directory) fn id(&self) -> Option<fn(&T) -> i64> {
        self.object
            .fields()
            .iter()
            .find_map(|field| match field.read {
                Accessor::Id(read) => Some(read),
                _ => None,
            })
    }
}

/// Whether the text is usable as a name in URLs, JSON and tables.
pub(crate) fn is_identifier(name: &str) -> bool {
    !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

impl<T> fmt::Debug for Resource<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resource")
            .field("definition", &self.definition)
            .finish_non_exhaustive()
    }
}

impl ResourceDefinition {
    /// The numbers that a field has, if a parameter filters by it.
    #[cfg(any(feature = "console", feature = "import"))]
    pub(crate) fn number_bounds(&self, field: &str) -> Option<RangeInclusive<i64>> {
        let mut parameters = self.parameters.iter().filter(|it| it.field == field);
        parameters.find_map(|parameter| match &parameter.kind {
            ParameterType::Number(bounds) => Some(bounds.clone()),
            _ => None,
        })
    }

    /// The values of `sortBy`.
    pub(crate) fn sort_names(&self) -> impl Iterator<Item = &'static str> {
        self.sorts.iter().map(|sort| sort.name)
    }

    /// The parameter that finds the record with an id.
    #[cfg(feature = "console")]
    pub(crate) fn id_parameter(&self) -> Option<&'static str> {
        let mut parameters = self.parameters.iter();
        Some(parameters.find(|parameter| parameter.field == "id")?.name)
    }

    pub(crate) const fn is_paged(&self) -> bool {
        matches!(self.pagination, Pagination::Pages { .. })
    }

    /// The position of the parameter that the exclusion flags refer to.
    pub(in crate::directory) fn exclusion_parameter(&self) -> Option<usize> {
        let name = self.exclusion_flags.as_ref()?.parameter;
        self.parameters.iter().position(|known| known.name == name)
    }

    /// All flags, in the order of the parameters.
    pub(crate) fn flags(&self) -> impl Iterator<Item = FlagInfo> {
        self.exclusion_flags
            .iter()
            .flat_map(|exclusion| &exclusion.flags)
            .chain(&self.render_flag)
            .copied()
    }
}
