use std::ops::RangeInclusive;
use std::sync::Arc;

use serde_json::Value as Json;

use super::enum_values::EnumValues;
use super::json::{self, ArrayWriter};
use super::object::{ConsoleFormat, FieldInfo, FieldType, Object, RenderOptions};
use super::parameter::{Parameter, ParameterInfo, ParameterType};
use super::query::FilterValue;
use crate::domain::{Date, PersonalField, fold_case};

/// Calls a function with each element of a list.
type ForEach<T, U> = fn(&T, &mut dyn FnMut(&U));

/// Calls a function with each element of a list, given the value of the resource's render flag.
type ForEachWithFlag<T, U> = fn(&T, bool, &mut dyn FnMut(&U));

/// Appends the value of a field as JSON.
pub(super) type WriteJson<T> = Box<dyn Fn(&T, RenderOptions, &mut Vec<u8>) + Send + Sync>;

/// A field of a record: how it is read, serialized, filtered and sorted.
///
/// Functions that read a value return `None` if it is absent. A field that may be absent is
/// [`nullable`](Self::nullable).
pub struct Field<T> {
    pub(super) info: FieldInfo,
    pub(super) write_json: WriteJson<T>,
    pub(super) read: Accessor<T>,
    pub(super) parameter: Option<Parameter>,
    pub(super) bounds: RangeInclusive<i64>,
    pub(super) is_serialized: bool,
}

/// Reads the value that is compared, searched and sorted by.
pub(in crate::directory) enum Accessor<T> {
    Id(fn(&T) -> i64),
    Int(fn(&T) -> Option<i32>),
    Long(fn(&T) -> Option<i64>),
    Boolean(fn(&T) -> Option<bool>),
    Date(fn(&T) -> Option<Date>),
    Text(for<'a> fn(&'a T) -> Option<&'a str>),
    /// The field can only be serialized.
    NotComparable,
}

impl<T: 'static> Field<T> {
    /// The unique id of a record, above 0. It is never reused for another record.
    pub fn id(name: &'static str, read: fn(&T) -> i64) -> Self {
        Self::new(
            name,
            FieldType::Long,
            Accessor::Id(read),
            move |value, out| json::write(out, &read(value)),
        )
    }

    /// A 32-bit integer.
    pub fn int(name: &'static str, read: fn(&T) -> Option<i32>) -> Self {
        Self::new(
            name,
            FieldType::Int,
            Accessor::Int(read),
            move |value, out| json::write(out, &read(value)),
        )
    }

    /// A 64-bit integer.
    pub fn long(name: &'static str, read: fn(&T) -> Option<i64>) -> Self {
        Self::new(
            name,
            FieldType::Long,
            Accessor::Long(read),
            move |value, out| json::write(out, &read(value)),
        )
    }

    /// A boolean.
    pub fn boolean(name: &'static str, read: fn(&T) -> Option<bool>) -> Self {
        Self::new(
            name,
            FieldType::Boolean,
            Accessor::Boolean(read),
            move |value, out| json::write(out, &read(value)),
        )
    }

    /// A date, serialized as `2026-11-23`.
    pub fn date(name: &'static str, read: fn(&T) -> Option<Date>) -> Self {
        let write = move |value: &T, out: &mut Vec<u8>| {
            json::write_or_null(out, read(value), json::write_unescaped)
        };
        Self::new(name, FieldType::Date, Accessor::Date(read), write)
    }

    /// A text. Its filter searches for a substring, without regard to case.
    pub fn text(name: &'static str, read: for<'a> fn(&'a T) -> Option<&'a str>) -> Self {
        Self::new(
            name,
            FieldType::Text,
            Accessor::Text(read),
            move |value, out| json::write(out, &read(value)),
        )
    }

    /// A value of an enumeration. Its filter compares for equality. A record may have a value that
    /// the enumeration lacks; it is serialized but cannot be filtered by.
    pub fn enumeration(
        name: &'static str,
        values: &EnumValues,
        read: for<'a> fn(&'a T) -> Option<&'a str>,
    ) -> Self {
        Self::new(
            name,
            FieldType::Enum(values.clone()),
            Accessor::Text(read),
            move |value, out| json::write(out, &read(value)),
        )
    }

    /// A text computed from other fields. It can be neither filtered nor sorted by.
    pub fn derived(name: &'static str, make: fn(&T) -> Option<String>) -> Self {
        Self::new(
            name,
            FieldType::Text,
            Accessor::NotComparable,
            move |value, out| json::write(out, &make(value)),
        )
    }

    /// A list of texts, with its maximum length if known. `each` calls its function argument with
    /// every text.
    pub fn texts(name: &'static str, max_items: Option<usize>, each: ForEach<T, str>) -> Self {
        Self::list(
            name,
            FieldType::Text,
            max_items,
            move |value, _, elements| {
                each(value, &mut |text| {
                    elements.push(|out| json::write(out, text))
                })
            },
        )
    }

    /// A list of 32-bit integers. `each` calls its function argument with every number.
    pub fn ints(name: &'static str, each: fn(&T, &mut dyn FnMut(i32))) -> Self {
        Self::list(name, FieldType::Int, None, move |value, _, elements| {
            each(value, &mut |number| {
                elements.push(|out| json::write(out, &number))
            });
        })
    }

    /// A list of integers from 0 to 255. `each` calls its function argument with every number.
    pub fn bytes(name: &'static str, each: fn(&T, &mut dyn FnMut(u8))) -> Self {
        Self::list(name, FieldType::Byte, None, move |value, _, elements| {
            each(value, &mut |number| {
                elements.push(|out| json::write(out, &number))
            });
        })
    }

    /// A nested object.
    pub fn object<U: 'static>(
        name: &'static str,
        object: &Arc<Object<U>>,
        read: for<'a> fn(&'a T) -> Option<&'a U>,
    ) -> Self {
        let (kind, object) = (
            FieldType::Object(Arc::clone(object.ty())),
            Arc::clone(object),
        );
        Self::with_options(
            name,
            kind,
            Accessor::NotComparable,
            move |value, options, out| {
                json::write_or_null(out, read(value), |out, inner| {
                    object.write_json(inner, options, out)
                });
            },
        )
    }

    /// A list of objects. `each` calls its function argument with every object. Its flag is the
    /// value of a query parameter in some of the school's lists, and `false` in others.
    pub fn objects<U: 'static>(
        name: &'static str,
        object: &Arc<Object<U>>,
        each: ForEachWithFlag<T, U>,
    ) -> Self {
        let (kind, object) = (
            FieldType::Object(Arc::clone(object.ty())),
            Arc::clone(object),
        );
        Self::list(name, kind, None, move |value, options, elements| {
            each(value, options.render_flag, &mut |inner| {
                elements.push(|out| object.write_json(inner, options, out))
            });
        })
    }

    fn list(
        name: &'static str,
        of: FieldType,
        max_items: Option<usize>,
        write: impl Fn(&T, RenderOptions, &mut ArrayWriter<'_>) + Send + Sync + 'static,
    ) -> Self {
        Self::with_options(
            name,
            FieldType::List {
                of: Box::new(of),
                max_items,
            },
            Accessor::NotComparable,
            move |value, options, out| {
                let mut elements = ArrayWriter::begin(out);
                write(value, options, &mut elements);
                elements.end();
            },
        )
    }

    fn new(
        name: &'static str,
        kind: FieldType,
        read: Accessor<T>,
        write: impl Fn(&T, &mut Vec<u8>) + Send + Sync + 'static,
    ) -> Self {
        Self::with_options(name, kind, read, move |value, _, out| write(value, out))
    }

    fn with_options(
        name: &'static str,
        kind: FieldType,
        read: Accessor<T>,
        write: impl Fn(&T, RenderOptions, &mut Vec<u8>) + Send + Sync + 'static,
    ) -> Self {
        let info = FieldInfo {
            name,
            kind,
            is_nullable: false,
            description: None,
            personal: None,
            sort: None,
            is_omitted_from_table: false,
            is_web_address: false,
            label: None,
            console_format: None,
        };
        Self {
            info,
            write_json: Box::new(write),
            read,
            parameter: None,
            bounds: i64::MIN..=i64::MAX,
            is_serialized: true,
        }
    }

    /// Marks the field as possibly absent; it is then serialized as `null`.
    pub fn nullable(mut self) -> Self {
        self.info.is_nullable = true;
        self
    }

    /// Sets the description in OpenAPI.
    pub fn description(mut self, description: &'static str) -> Self {
        self.info.description = Some(description);
        self
    }

    /// Marks the field as personal. An API key without access to it receives `null`, and may
    /// neither filter nor sort by the field.
    pub fn personal(mut self, field: PersonalField) -> Self {
        self.info.personal = Some(field);
        self
    }

    /// Sets the label in the console. It takes precedence over the console's own text for the name;
    /// without either, the name is shown.
    pub fn label(mut self, label: &'static str) -> Self {
        self.info.label = Some(label);
        self
    }

    /// Omits the field from the console's table.
    pub fn omit_from_table(mut self) -> Self {
        self.info.is_omitted_from_table = true;
        self
    }

    /// Marks the texts as addresses of web pages, which the console links to.
    pub(in crate::directory) fn web_address(mut self) -> Self {
        self.info.is_web_address = true;
        self
    }

    /// Sets how the console's table formats the field's JSON.
    pub fn console_format(mut self, format: fn(&Json) -> String) -> Self {
        self.info.console_format = Some(ConsoleFormat::Custom(format));
        self
    }

    /// Sets how the console's table formats a field of the school's own lists.
    pub(in crate::directory) fn formatted_as(mut self, format: ConsoleFormat) -> Self {
        self.info.console_format = Some(format);
        self
    }

    /// Sets the numbers that a filter accepts and, in the school's own lists, a write. Records with
    /// other numbers are served all the same.
    pub fn range(mut self, bounds: RangeInclusive<i64>) -> Self {
        self.bounds = bounds;
        self
    }

    /// Adds a filter by the field: numbers, enumeration values and booleans are compared for
    /// equality, texts are searched.
    pub fn filter(mut self, parameter: Parameter) -> Self {
        self.parameter = Some(parameter);
        self
    }

    /// Omits the field from responses; clients can only filter or sort by it.
    pub fn filter_only(mut self) -> Self {
        self.is_serialized = false;
        self
    }

    /// Adds a sort order by the field, under this value of `sortBy`. Texts sort by Unicode code
    /// point, `false` before `true`, and missing values last.
    pub fn sort(mut self, name: &'static str) -> Self {
        self.info.sort = Some(name);
        self
    }

    /// The type of the filter's value; `None` if the field cannot be filtered by.
    pub(super) fn parameter_type(&self) -> Option<ParameterType> {
        match (&self.read, &self.info.kind) {
            (Accessor::Id(_), _) => Some(ParameterType::Number(1..=i64::MAX)),
            (Accessor::Int(_) | Accessor::Long(_), _) => {
                Some(ParameterType::Number(self.bounds.clone()))
            }
            (Accessor::Boolean(_), _) => Some(ParameterType::Boolean),
            (Accessor::Text(_), FieldType::Enum(values)) => {
                Some(ParameterType::Enum(values.clone()))
            }
            (Accessor::Text(_), _) => Some(ParameterType::Search),
            (Accessor::Date(_) | Accessor::NotComparable, _) => None,
        }
    }

    /// Whether the field has a filter or a sort order that its type does not support.
    pub(super) fn is_misconfigured(&self) -> bool {
        let cannot_filter = self.parameter.is_some() && self.parameter_type().is_none();
        cannot_filter || (self.info.sort.is_some() && matches!(self.read, Accessor::NotComparable))
    }

    /// The parameter of the field; `None` if it has no parameter or cannot be filtered by.
    pub(super) fn parameter(&self) -> Option<ParameterInfo> {
        let parameter = self.parameter.as_ref()?;
        Some(ParameterInfo {
            name: parameter.name,
            alias: parameter.alias,
            description: parameter.description,
            example: parameter.example,
            kind: self.parameter_type()?,
            default: parameter.default.clone(),
            field: self.info.name,
            label: self.info.label,
            personal: self.info.personal,
            is_pinned: parameter.is_pinned,
        })
    }
}

impl<T> Accessor<T> {
    /// Returns the record's value in the form of a filter; `None` if it is absent or cannot be
    /// filtered by.
    pub(super) fn value(self, record: &T) -> Option<FilterValue> {
        match self {
            Self::Id(read) => Some(FilterValue::Number(read(record))),
            Self::Int(read) => read(record).map(|number| FilterValue::Number(number.into())),
            Self::Long(read) => read(record).map(FilterValue::Number),
            Self::Boolean(read) => read(record).map(FilterValue::Boolean),
            Self::Text(read) => read(record).map(|text| FilterValue::Enum(text.into())),
            Self::Date(_) | Self::NotComparable => None,
        }
    }

    /// Whether the record matches the value of a filter.
    pub(in crate::directory) fn matches(self, record: &T, value: &FilterValue) -> bool {
        match (self, value) {
            (Self::Text(read), FilterValue::Search(term)) => {
                read(record).is_some_and(|text| term.matches(&fold_case(text)))
            }
            (_, value) => self.value(record).as_ref() == Some(value),
        }
    }
}

impl<T> Clone for Accessor<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Accessor<T> {}

impl<T> std::fmt::Debug for Field<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Field")
            .field("name", &self.info.name)
            .finish_non_exhaustive()
    }
}
