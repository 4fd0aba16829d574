use std::error::Error;
use std::fmt;

use tokio_postgres::types::private::BytesMut;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};

use crate::store::sql::row::SqlValue;

type Outcome<T> = Result<T, Box<dyn Error + Sync + Send>>;

/// A parameter of a statement. Its `Debug` output is empty, because the driver logs parameters.
pub(super) struct Parameter<'c>(pub(super) &'c SqlValue);

impl fmt::Debug for Parameter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(..)")
    }
}

impl ToSql for Parameter<'_> {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Outcome<IsNull> {
        match (self.0, kind) {
            (SqlValue::Null, _) => Ok(IsNull::Yes),
            (SqlValue::Integer(number), &Type::INT8) => number.to_sql(kind, out),
            (SqlValue::Integer(number), &Type::INT4) => i32::try_from(*number)?.to_sql(kind, out),
            (SqlValue::Integer(number), &Type::INT2) => i16::try_from(*number)?.to_sql(kind, out),
            (SqlValue::Integer(number), &Type::BOOL) => (*number != 0).to_sql(kind, out),
            (SqlValue::Text(text), &(Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::NAME)) => {
                text.to_sql(kind, out)
            }
            (SqlValue::Blob(bytes), &Type::BYTEA) => bytes.to_sql(kind, out),
            _ => Err("the value is of another type than the server wants".into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for SqlValue {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Outcome<Self> {
        Ok(match *kind {
            Type::INT8 => Self::Integer(i64::from_sql(kind, raw)?),
            Type::INT4 => Self::Integer(i32::from_sql(kind, raw)?.into()),
            Type::INT2 => Self::Integer(i16::from_sql(kind, raw)?.into()),
            Type::BOOL => Self::Integer(bool::from_sql(kind, raw)?.into()),
            Type::BYTEA => Self::Blob(Vec::from_sql(kind, raw)?),
            _ => Self::Text(String::from_sql(kind, raw)?),
        })
    }

    fn from_sql_null(_: &Type) -> Outcome<Self> {
        Ok(Self::Null)
    }

    fn accepts(kind: &Type) -> bool {
        matches!(
            *kind,
            Type::INT8
                | Type::INT4
                | Type::INT2
                | Type::BOOL
                | Type::BYTEA
                | Type::TEXT
                | Type::VARCHAR
                | Type::BPCHAR
                | Type::NAME
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_goes_into_the_type_that_the_server_wants_or_not_at_all() {
        let bytes = |value: &SqlValue, kind: &Type| {
            let mut out = BytesMut::new();
            Parameter(value)
                .to_sql(kind, &mut out)
                .map(|_| out.to_vec())
                .ok()
        };
        let seven = SqlValue::Integer(7);
        assert_eq!(
            bytes(&seven, &Type::INT8),
            Some(vec![0, 0, 0, 0, 0, 0, 0, 7])
        );
        assert_eq!(bytes(&seven, &Type::INT2), Some(vec![0, 7]));
        assert_eq!(bytes(&seven, &Type::BOOL), Some(vec![1]));
        assert_eq!(bytes(&SqlValue::Integer(1 << 40), &Type::INT4), None);
        assert_eq!(bytes(&seven, &Type::TEXT), None);
        assert_eq!(bytes(&SqlValue::Text("7".to_owned()), &Type::INT8), None);
        assert_eq!(bytes(&SqlValue::Blob(vec![7]), &Type::BYTEA), Some(vec![7]));
    }

    // Proves: threats 26
    /// Fails if `Debug` shows the value.
    #[test]
    fn the_driver_logs_nothing_of_a_parameter() {
        assert_eq!(
            format!(
                "{:?}",
                Parameter(&SqlValue::Text("kim@school.example".to_owned()))
            ),
            "(..)"
        );
    }
}
