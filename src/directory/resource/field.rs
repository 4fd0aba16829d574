use std::ops::RangeInclusive;
use std::sync::Arc;

use serde_json::Value as Json;

use super::json::{self, Elements};
use super::object::{FieldInfo, FieldType, Object, RenderOptions};
use super::parameter::{Parameter, ParameterInfo, ParameterType};
use super::query::Value;
use super::words::Words;
use crate::domain::{Date, PersonalField, fold};

/// Calls the function that it is given with every element of a list.
type Each<T, U> = fn(&T, &mut dyn FnMut(&U));

/// The same, and is told the value of the list's switch.
type EachSwitched<T, U> = fn(&T, bool, &mut dyn FnMut(&U));

/// Appends the value of a field as JSON.
pub(super) type WriteJson<T> = Box<dyn Fn(&T, RenderOptions, &mut Vec<u8>) + Send + Sync>;

/// A field of a record, with how it is read from the record, filtered and sorted.
///
/// Functions that read a value give `None` for one that is absent; a field that may be absent is [`nullable`](Self::nullable).
pub struct Field<T> {
    pub(super) info: FieldInfo,
    pub(super) write: WriteJson<T>,
    pub(super) read: Accessor<T>,
    pub(super) parameter: Option<Parameter>,
    pub(super) bounds: RangeInclusive<i64>,
    pub(super) is_written: bool,
}

/// How the value is read that is compared, searched and sorted by.
pub(in crate::directory) enum Accessor<T> {
    Id(fn(&T) -> i64),
    Int(fn(&T) -> Option<i32>),
    Long(fn(&T) -> Option<i64>),
    Flag(fn(&T) -> Option<bool>),
    Date(fn(&T) -> Option<Date>),
    Text(for<'a> fn(&'a T) -> Option<&'a str>),
    /// It is only shown.
    Nothing,
}

impl<T: 'static> Field<T> {
    /// The id by which the list knows a record: above 0, of one record alone, and never another's later.
    pub fn id(name: &'static str, read: fn(&T) -> i64) -> Self {
        Self::new(name, FieldType::Long, Accessor::Id(read), move |value, out| json::write(out, &read(value)))
    }

    /// A whole number of 32 bits.
    pub fn int(name: &'static str, read: fn(&T) -> Option<i32>) -> Self {
        Self::new(name, FieldType::Int, Accessor::Int(read), move |value, out| json::write(out, &read(value)))
    }

    /// A whole number of 64 bits.
    pub fn long(name: &'static str, read: fn(&T) -> Option<i64>) -> Self {
        Self::new(name, FieldType::Long, Accessor::Long(read), move |value, out| json::write(out, &read(value)))
    }

    /// `true` or `false`.
    pub fn boolean(name: &'static str, read: fn(&T) -> Option<bool>) -> Self {
        Self::new(name, FieldType::Boolean, Accessor::Flag(read), move |value, out| json::write(out, &read(value)))
    }

    /// A day, written as `2026-11-23`.
    pub fn date(name: &'static str, read: fn(&T) -> Option<Date>) -> Self {
        let write = move |value: &T, out: &mut Vec<u8>| json::write_or_null(out, read(value), json::write_plain);
        Self::new(name, FieldType::Date, Accessor::Date(read), write)
    }

    /// A text. A filter by it searches for a part of it, in any case.
    pub fn text(name: &'static str, read: for<'a> fn(&'a T) -> Option<&'a str>) -> Self {
        Self::new(name, FieldType::Text, Accessor::Text(read), move |value, out| json::write(out, &read(value)))
    }

    /// One of some words. A filter by it compares. A record may have another word, which is shown and cannot be filtered by.
    pub fn word(name: &'static str, words: &Words, read: for<'a> fn(&'a T) -> Option<&'a str>) -> Self {
        Self::new(name, FieldType::Words(words.clone()), Accessor::Text(read), move |value, out| json::write(out, &read(value)))
    }

    /// A text made of other fields, which can be neither filtered nor sorted by.
    pub fn derived(name: &'static str, make: fn(&T) -> Option<String>) -> Self {
        Self::new(name, FieldType::Text, Accessor::Nothing, move |value, out| json::write(out, &make(value)))
    }

    /// A list of texts, at most so many if that is known. `each` is to be called with every text.
    pub fn texts(name: &'static str, most: Option<usize>, each: Each<T, str>) -> Self {
        Self::list(name, FieldType::Text, most, move |value, _, elements| {
            each(value, &mut |text| elements.push(|out| json::write(out, text)))
        })
    }

    /// A list of whole numbers of 32 bits. `each` is to be called with every number.
    pub fn ints(name: &'static str, each: fn(&T, &mut dyn FnMut(i32))) -> Self {
        Self::list(name, FieldType::Int, None, move |value, _, elements| {
            each(value, &mut |number| elements.push(|out| json::write(out, &number)));
        })
    }

    /// A list of whole numbers from 0 to 255. `each` is to be called with every number.
    pub fn bytes(name: &'static str, each: fn(&T, &mut dyn FnMut(u8))) -> Self {
        Self::list(name, FieldType::Byte, None, move |value, _, elements| {
            each(value, &mut |number| elements.push(|out| json::write(out, &number)));
        })
    }

    /// An object of its own.
    pub fn object<U: 'static>(name: &'static str, object: &Arc<Object<U>>, read: for<'a> fn(&'a T) -> Option<&'a U>) -> Self {
        let (kind, object) = (FieldType::Object(Arc::clone(object.ty())), Arc::clone(object));
        Self::with_options(name, kind, Accessor::Nothing, move |value, options, out| {
            json::write_or_null(out, read(value), |out, inner| object.write(inner, options, out));
        })
    }

    /// A list of objects. `each` is to be called with every object; it is also given a flag that some of the school's lists have, `false` in others.
    pub fn objects<U: 'static>(name: &'static str, object: &Arc<Object<U>>, each: EachSwitched<T, U>) -> Self {
        let (kind, object) = (FieldType::Object(Arc::clone(object.ty())), Arc::clone(object));
        Self::list(name, kind, None, move |value, options, elements| {
            each(value, options.switch, &mut |inner| elements.push(|out| object.write(inner, options, out)));
        })
    }

    fn list(
        name: &'static str,
        of: FieldType,
        most: Option<usize>,
        write: impl Fn(&T, RenderOptions, &mut Elements<'_>) + Send + Sync + 'static,
    ) -> Self {
        Self::with_options(name, FieldType::List { of: Box::new(of), most }, Accessor::Nothing, move |value, options, out| {
            let mut elements = Elements::begin(out);
            write(value, options, &mut elements);
            elements.end();
        })
    }

    fn new(name: &'static str, kind: FieldType, read: Accessor<T>, write: impl Fn(&T, &mut Vec<u8>) + Send + Sync + 'static) -> Self {
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
            about: None,
            personal: None,
            sort: None,
            is_detail: false,
            label: None,
            shown: None,
        };
        Self { info, write: Box::new(write), read, parameter: None, bounds: i64::MIN..=i64::MAX, is_written: true }
    }

    /// A record may have no value there, which is written as `null`.
    pub fn nullable(mut self) -> Self {
        self.info.is_nullable = true;
        self
    }

    /// What OpenAPI tells of the field beside its type.
    pub fn about(mut self, about: &'static str) -> Self {
        self.info.about = Some(about);
        self
    }

    /// A key that does without this gets `null`, and may neither filter nor sort by the field.
    pub fn personal(mut self, field: PersonalField) -> Self {
        self.info.personal = Some(field);
        self
    }

    /// What the console calls the field. It comes before the console's own text for the name; without either, the name itself is shown.
    pub fn label(mut self, label: &'static str) -> Self {
        self.info.label = Some(label);
        self
    }

    /// Leaves the field out of the console's table.
    pub fn detail(mut self) -> Self {
        self.info.is_detail = true;
        self
    }

    /// How the console's table shows the field's JSON.
    pub fn shown(mut self, show: fn(&Json) -> String) -> Self {
        self.info.shown = Some(show);
        self
    }

    /// The numbers that can be asked for and, in the school's own lists, written. Records with others are served all the same.
    pub fn within(mut self, bounds: RangeInclusive<i64>) -> Self {
        self.bounds = bounds;
        self
    }

    /// Filters by the field: numbers, words and booleans are compared, a text is searched.
    pub fn filter(mut self, parameter: Parameter) -> Self {
        self.parameter = Some(parameter);
        self
    }

    /// Leaves the field out of records, so that one can only filter or sort by it.
    pub fn unwritten(mut self) -> Self {
        self.is_written = false;
        self
    }

    /// Sorts by the field when `sortBy` has this word: texts by Unicode code point, `false` before `true`, missing values last.
    pub fn sort(mut self, word: &'static str) -> Self {
        self.info.sort = Some(word);
        self
    }

    /// What its values can be compared with; `None` if with nothing.
    pub(super) fn parameter_type(&self) -> Option<ParameterType> {
        match (&self.read, &self.info.kind) {
            (Accessor::Id(_), _) => Some(ParameterType::Number(1..=i64::MAX)),
            (Accessor::Int(_) | Accessor::Long(_), _) => Some(ParameterType::Number(self.bounds.clone())),
            (Accessor::Flag(_), _) => Some(ParameterType::Flag),
            (Accessor::Text(_), FieldType::Words(words)) => Some(ParameterType::Words(words.clone())),
            (Accessor::Text(_), _) => Some(ParameterType::Search),
            (Accessor::Date(_) | Accessor::Nothing, _) => None,
        }
    }

    /// Whether it has a filter or an order that it cannot have.
    pub(super) fn is_unused(&self) -> bool {
        let cannot_filter = self.parameter.is_some() && self.parameter_type().is_none();
        cannot_filter || (self.info.sort.is_some() && matches!(self.read, Accessor::Nothing))
    }

    /// The parameter as requests give it; `None` if the field has none, or nothing to compare with.
    pub(super) fn parameter(&self) -> Option<ParameterInfo> {
        let parameter = self.parameter.as_ref()?;
        Some(ParameterInfo {
            name: parameter.name,
            alias: parameter.alias,
            about: parameter.about,
            example: parameter.example,
            kind: self.parameter_type()?,
            default: parameter.default.clone(),
            field: self.info.name,
            label: self.info.label,
            personal: self.info.personal,
            is_common: parameter.is_common,
        })
    }
}

impl<T> Accessor<T> {
    /// The value to compare with a parameter's; `None` for none, and for texts.
    pub(super) fn value(self, record: &T) -> Option<Value> {
        match self {
            Self::Id(read) => Some(Value::Number(read(record))),
            Self::Int(read) => read(record).map(|number| Value::Number(number.into())),
            Self::Long(read) => read(record).map(Value::Number),
            Self::Flag(read) => read(record).map(Value::Flag),
            Self::Text(read) => read(record).map(|text| Value::Word(text.into())),
            Self::Date(_) | Self::Nothing => None,
        }
    }

    /// Whether a record has this value there.
    pub(in crate::directory) fn is(self, record: &T, value: &Value) -> bool {
        match (self, value) {
            (Self::Text(read), Value::Search(needle)) => read(record).is_some_and(|text| needle.is_in(&fold(text))),
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
        f.debug_struct("Field").field("name", &self.info.name).finish_non_exhaustive()
    }
}
