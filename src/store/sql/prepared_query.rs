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
    /// The number of parameters.
    parameters: usize,
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
        if values.len() != rendered.parameters {
            return Err(StorageError::corrupt(
                "a statement has another number of parameters",
            ));
        }
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
                Value::Char(mark) => mark
                    .and_then(index_of)
                    .filter(|index| *index < parameters)
                    .map(Placeholder::Parameter),
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
            parameters,
            placeholders,
            in_order,
        })
    }

    fn bound(&self, values: Vec<SqlValue>) -> Vec<SqlValue> {
        if self.in_order {
            return values;
        }
        let bound = |placeholder: &Placeholder| match placeholder {
            // Its index was compared with the number of parameters, and that with the values.
            Placeholder::Parameter(index) => values[*index].clone(),
            Placeholder::Constant(value) => value.clone(),
        };
        self.placeholders.iter().map(bound).collect()
    }
}

/// Mark of the first parameter. It is a character for private use, a type that no column has, so
/// that no value is taken for a parameter.
const FIRST_MARK: u32 = 0xF_0000;

/// The expression that stands for a parameter. A statement has at most 65,535 values on PostgreSQL,
/// and fewer on SQLite, for which there are enough marks.
pub(super) fn parameter(index: usize) -> Expr {
    let mark = u32::try_from(index)
        .ok()
        .and_then(|index| char::from_u32(FIRST_MARK.checked_add(index)?));
    Expr::value(Value::Char(mark))
}

fn index_of(mark: char) -> Option<usize> {
    usize::try_from(u32::from(mark).checked_sub(FIRST_MARK)?).ok()
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
