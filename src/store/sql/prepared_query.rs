//! Statements with constant text. The text is rendered once; afterwards only values are bound.

use std::sync::OnceLock;

use sea_query::{Expr, QueryStatementWriter, Value};

use super::executor::{Dialect, Statement, sql_value};
use super::row::SqlValue;
use crate::store::StorageError;

/// A statement of parameters in each dialect, rendered on first use.
pub(super) struct PreparedQuery {
    #[cfg(feature = "sqlite")]
    sqlite: OnceLock<Rendered>,
    #[cfg(feature = "postgres")]
    postgres: OnceLock<Rendered>,
}

struct Rendered {
    text: String,
    /// What each placeholder of the text binds.
    placeholders: Vec<Placeholder>,
    /// Whether the placeholders bind the parameters in their order, each once.
    in_order: bool,
}

enum Placeholder {
    /// The parameter with this index.
    Parameter(usize),
    /// A value that is part of the statement.
    Constant(SqlValue),
}

impl PreparedQuery {
    pub(super) const fn new() -> Self {
        Self {
            #[cfg(feature = "sqlite")]
            sqlite: OnceLock::new(),
            #[cfg(feature = "postgres")]
            postgres: OnceLock::new(),
        }
    }

    /// Returns the statement with these values of its parameters. `statement` builds it of an
    /// expression for each parameter, in the same order, which it may use in any order and number.
    pub(super) fn bind<S: QueryStatementWriter, const N: usize>(
        &'static self,
        dialect: Dialect,
        values: [SqlValue; N],
        statement: impl FnOnce([Expr; N]) -> S,
    ) -> Result<Statement, StorageError> {
        self.bind_list(dialect, values.into(), || {
            statement(std::array::from_fn(parameter))
        })
    }

    /// Like [`bind`](Self::bind), for a statement whose number of parameters is known when it runs.
    /// It has [`parameter`] in place of each value.
    pub(super) fn bind_list<S: QueryStatementWriter>(
        &'static self,
        dialect: Dialect,
        values: Vec<SqlValue>,
        statement: impl FnOnce() -> S,
    ) -> Result<Statement, StorageError> {
        let cell = match dialect {
            #[cfg(feature = "sqlite")]
            Dialect::Sqlite => &self.sqlite,
            #[cfg(feature = "postgres")]
            Dialect::Postgres => &self.postgres,
        };
        let rendered = match cell.get() {
            Some(rendered) => rendered,
            None => {
                let rendered = Rendered::new(dialect, &statement(), values.len())?;
                cell.get_or_init(|| rendered)
            }
        };
        Ok(Statement {
            text: rendered.text.as_str().into(),
            values: rendered.bound(values),
        })
    }
}

impl Rendered {
    fn new(
        dialect: Dialect,
        statement: &impl QueryStatementWriter,
        parameters: usize,
    ) -> Result<Self, StorageError> {
        let (text, values) = dialect.build(statement);
        let placeholders = values
            .into_iter()
            .map(|value| match value {
                Value::SmallUnsigned(Some(index)) if usize::from(index) < parameters => {
                    Some(Placeholder::Parameter(index.into()))
                }
                value => sql_value(value).map(Placeholder::Constant),
            })
            .collect::<Option<Vec<_>>>()
            .ok_or(StorageError::corrupt(
                "a statement has a value of an unsupported type",
            ))?;
        let in_order = placeholders.len() == parameters
            && placeholders.iter().enumerate().all(|(position, placeholder)| {
                matches!(placeholder, Placeholder::Parameter(index) if *index == position)
            });
        Ok(Self {
            text,
            placeholders,
            in_order,
        })
    }

    fn bound(&self, values: Vec<SqlValue>) -> Vec<SqlValue> {
        if self.in_order {
            return values;
        }
        let bound = |placeholder: &Placeholder| match placeholder {
            // Its index was checked against the number of values.
            Placeholder::Parameter(index) => values[*index].clone(),
            Placeholder::Constant(value) => value.clone(),
        };
        self.placeholders.iter().map(bound).collect()
    }
}

/// The expression that stands for a parameter. The statements have no values of this type, so that
/// it is found among the rendered ones.
pub(super) fn parameter(index: usize) -> Expr {
    // A statement has at most 65,535 values on PostgreSQL, and fewer on SQLite.
    Expr::value(Value::SmallUnsigned(u16::try_from(index).ok()))
}

#[cfg(feature = "sqlite")]
#[cfg(test)]
mod tests {
    use sea_query::{ExprTrait, Query};

    use super::*;

    #[test]
    fn the_text_is_rendered_once_and_each_statement_has_values_of_its_own() {
        static QUERY: PreparedQuery = PreparedQuery::new();
        let mut rendered = 0;
        let mut bind = |number: i64| {
            let statement = QUERY.bind(Dialect::Sqlite, [number.into()], |[number]| {
                rendered += 1;
                Query::select().expr(number).take()
            });
            statement.unwrap()
        };
        let (one, other) = (bind(1), bind(2));
        assert_eq!(
            (one.text.as_ref(), one.values),
            ("SELECT ?", vec![SqlValue::Integer(1)])
        );
        assert_eq!(
            (other.text.as_ref(), other.values),
            ("SELECT ?", vec![SqlValue::Integer(2)])
        );
        assert!(std::ptr::eq(one.text.as_ptr(), other.text.as_ptr()));
        assert_eq!(rendered, 1);
    }

    /// Fails if values are bound by the position of the parameter.
    #[test]
    fn a_parameter_is_bound_wherever_the_statement_has_it() {
        static QUERY: PreparedQuery = PreparedQuery::new();
        let values = [1.into(), "unused".into(), "two".into()];
        let bound = QUERY.bind(Dialect::Sqlite, values, |[one, _, two]| {
            Query::select()
                .expr(two)
                .and_where(one.clone().gt(one))
                .limit(9)
                .take()
        });
        assert_eq!(
            bound.unwrap().values,
            [
                SqlValue::Text("two".to_owned()),
                SqlValue::Integer(1),
                SqlValue::Integer(1),
                SqlValue::Integer(9),
            ]
        );
    }
}
