use std::fmt;
use std::sync::Arc;

use super::enum_values::EnumValues;
use super::field::Field;
use super::json;
use crate::domain::{HiddenFields, PersonalField};

/// A record or a nested object: its fields in order.
pub struct Object<T> {
    ty: Arc<ObjectType>,
    fields: Vec<Field<T>>,
}

/// Options of the serialization of records.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RenderOptions {
    /// Fields that the API key has no access to.
    pub(crate) hidden: HiddenFields,
    /// The value of the resource's render flag.
    pub(crate) render_flag: bool,
}

/// An object without the type of its values.
#[derive(Debug)]
pub(crate) struct ObjectType {
    /// The name in OpenAPI.
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) fields: Vec<FieldInfo>,
    /// The list that has the whole record, if this is only a mention of it.
    pub(crate) list: Option<&'static str>,
}

/// A field without the type of its record.
#[derive(Debug, Clone)]
pub(crate) struct FieldInfo {
    pub(crate) name: &'static str,
    pub(crate) kind: FieldType,
    /// Whether the value may be `null`.
    pub(crate) is_nullable: bool,
    pub(crate) description: Option<&'static str>,
    pub(crate) personal: Option<PersonalField>,
    /// The value of `sortBy` that sorts by the field.
    pub(crate) sort: Option<&'static str>,
    /// Whether the console's table omits it.
    pub(crate) is_omitted_from_table: bool,
    /// Whether the texts are addresses of web pages.
    pub(crate) is_web_address: bool,
    /// The label in the console, which takes precedence over the console's own text.
    pub(crate) label: Option<&'static str>,
    /// How the console's table formats the JSON, if not in the default way.
    pub(crate) console_format: Option<ConsoleFormat>,
}

/// How the console formats the JSON of a field.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ConsoleFormat {
    /// By a function of the host.
    Custom(fn(&serde_json::Value) -> String),
    /// Dishes, each with its allergens in the words of the reader.
    Dishes,
    /// Calories in whole kilocalories.
    Calories,
}

/// The type of a field.
#[derive(Debug, Clone)]
pub(crate) enum FieldType {
    /// A 64-bit integer.
    Long,
    /// A 32-bit integer.
    Int,
    /// An integer from 0 to 255.
    Byte,
    Boolean,
    Text,
    Date,
    Enum(EnumValues),
    Object(Arc<ObjectType>),
    List {
        of: Box<Self>,
        max_items: Option<usize>,
    },
}

impl<T: 'static> Object<T> {
    /// Creates an object with these fields and this name and description in OpenAPI.
    pub fn new(
        name: &'static str,
        description: &'static str,
        fields: impl IntoIterator<Item = Field<T>>,
    ) -> Self {
        let fields: Vec<Field<T>> = fields.into_iter().collect();
        let written = fields
            .iter()
            .filter(|field| field.is_serialized)
            .map(|field| field.info.clone())
            .collect();
        Self {
            ty: Arc::new(ObjectType {
                name,
                description,
                fields: written,
                list: None,
            }),
            fields,
        }
    }

    /// Marks the objects as mentions of the records of a list, by their `id`.
    pub(in crate::directory) fn mentions(mut self, list: &'static str) -> Self {
        if let Some(ty) = Arc::get_mut(&mut self.ty) {
            ty.list = Some(list);
        }
        self
    }

    pub(crate) const fn ty(&self) -> &Arc<ObjectType> {
        &self.ty
    }

    pub(super) fn fields(&self) -> &[Field<T>] {
        &self.fields
    }

    /// Appends a value as JSON.
    pub(crate) fn write_json(&self, value: &T, options: RenderOptions, out: &mut Vec<u8>) {
        out.push(b'{');
        let start = out.len();
        for field in self.fields.iter().filter(|field| field.is_serialized) {
            let separator: &[u8] = if out.len() == start { b"\"" } else { b",\"" };
            out.extend_from_slice(separator);
            out.extend_from_slice(field.info.name.as_bytes());
            out.extend_from_slice(b"\":");
            match field.info.personal {
                Some(personal) if options.hidden.contains(personal) => {
                    out.extend_from_slice(json::NULL)
                }
                _ => (field.write_json)(value, options, out),
            }
        }
        out.push(b'}');
    }
}

impl<T> fmt::Debug for Object<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Object")
            .field("name", &self.ty.name)
            .finish_non_exhaustive()
    }
}

impl ObjectType {
    /// Returns the names of the columns of a table. A field of a nested object is `outer.inner`;
    /// deeper objects and lists are one column of JSON.
    pub(crate) fn columns(&self) -> Vec<String> {
        let columns = self.fields.iter().flat_map(|field| match &field.kind {
            FieldType::Object(object) => object
                .fields
                .iter()
                .map(|inner| format!("{}.{}", field.name, inner.name))
                .collect(),
            _ => vec![field.name.to_owned()],
        });
        columns.collect()
    }
}
