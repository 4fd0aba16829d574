use std::fmt;
use std::sync::Arc;

use super::field::Field;
use super::json;
use super::words::Words;
use crate::domain::{HiddenFields, PersonalField};

/// A record or a part of one: its fields in their order.
pub struct Object<T> {
    ty: Arc<ObjectType>,
    fields: Vec<Field<T>>,
}

/// How records are written.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct RenderOptions {
    /// The fields that the key does without.
    pub(crate) hidden: HiddenFields,
    /// The value of the list's switch.
    pub(crate) switch: bool,
}

/// The fields of an object without their values.
#[derive(Debug)]
pub(crate) struct ObjectType {
    /// Its name in OpenAPI.
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    pub(crate) fields: Vec<FieldInfo>,
}

/// A field without its values.
#[derive(Debug, Clone)]
pub(crate) struct FieldInfo {
    pub(crate) name: &'static str,
    pub(crate) kind: FieldType,
    /// Whether a record may have no value there.
    pub(crate) is_nullable: bool,
    pub(crate) about: Option<&'static str>,
    pub(crate) personal: Option<PersonalField>,
    /// What to sort by it with.
    pub(crate) sort: Option<&'static str>,
    /// Whether tables for people leave it out.
    pub(crate) is_detail: bool,
    /// What people call it; it comes before the interface's own text.
    pub(crate) label: Option<&'static str>,
    /// How tables for people show its JSON, if not as usual.
    pub(crate) shown: Option<fn(&serde_json::Value) -> String>,
}

/// The type of a field.
#[derive(Debug, Clone)]
pub(crate) enum FieldType {
    /// A whole number of 64 bits.
    Long,
    /// One of 32 bits.
    Int,
    /// One from 0 to 255.
    Byte,
    Boolean,
    Text,
    Date,
    Words(Words),
    Object(Arc<ObjectType>),
    List {
        of: Box<Self>,
        most: Option<usize>,
    },
}

impl<T: 'static> Object<T> {
    /// An object with these fields, under this name and description in OpenAPI.
    pub fn new(name: &'static str, about: &'static str, fields: impl IntoIterator<Item = Field<T>>) -> Self {
        let fields: Vec<Field<T>> = fields.into_iter().collect();
        let written = fields.iter().filter(|field| field.is_written).map(|field| field.info.clone()).collect();
        Self { ty: Arc::new(ObjectType { name, about, fields: written }), fields }
    }

    pub(crate) const fn ty(&self) -> &Arc<ObjectType> {
        &self.ty
    }

    pub(super) fn fields(&self) -> &[Field<T>] {
        &self.fields
    }

    /// Appends a value as JSON.
    pub(crate) fn write(&self, value: &T, options: RenderOptions, out: &mut Vec<u8>) {
        out.push(b'{');
        let start = out.len();
        for field in self.fields.iter().filter(|field| field.is_written) {
            let separator: &[u8] = if out.len() == start { b"\"" } else { b",\"" };
            out.extend_from_slice(separator);
            out.extend_from_slice(field.info.name.as_bytes());
            out.extend_from_slice(b"\":");
            match field.info.personal {
                Some(personal) if options.hidden.contains(personal) => out.extend_from_slice(json::NULL),
                _ => (field.write)(value, options, out),
            }
        }
        out.push(b'}');
    }
}

impl<T> fmt::Debug for Object<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Object").field("name", &self.ty.name).finish_non_exhaustive()
    }
}

impl ObjectType {
    /// The columns as a table: a member of an object is `outer.inner`, and what is nested deeper is one column of JSON, as a list is.
    pub(crate) fn columns(&self) -> Vec<String> {
        let columns = self.fields.iter().flat_map(|field| match &field.kind {
            FieldType::Object(object) => object.fields.iter().map(|inner| format!("{}.{}", field.name, inner.name)).collect(),
            _ => vec![field.name.to_owned()],
        });
        columns.collect()
    }
}
