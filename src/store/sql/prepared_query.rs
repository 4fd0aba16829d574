//! Statements with constant text. The text is rendered once; afterwards only values are bound.

use std::sync::OnceLock;

use sea_query::QueryStatementWriter;

use super::executor::{Dialect, Statement};
use super::row::SqlValue;

/// Text of a statement in each dialect, rendered on first use.
pub(super) struct PreparedQuery {
    #[cfg(feature = "sqlite")]
    sqlite: OnceLock<String>,
    #[cfg(feature = "postgres")]
    postgres: OnceLock<String>,
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

    /// Returns the statement with these values: as many as `statement` has, in its order. The
    /// values inside `statement` are ignored.
    pub(super) fn bind<S: QueryStatementWriter>(
        &'static self,
        dialect: Dialect,
        values: impl Into<Vec<SqlValue>>,
        statement: impl FnOnce() -> S,
    ) -> Statement {
        let text = match dialect {
            #[cfg(feature = "sqlite")]
            Dialect::Sqlite => &self.sqlite,
            #[cfg(feature = "postgres")]
            Dialect::Postgres => &self.postgres,
        };
        let text = text.get_or_init(|| dialect.build(&statement()).0);
        Statement {
            text: text.as_str().into(),
            values: values.into(),
        }
    }
}

#[cfg(feature = "sqlite")]
#[cfg(test)]
mod tests {
    use sea_query::Query;

    use super::*;

    #[test]
    fn the_text_is_rendered_once_and_each_statement_has_values_of_its_own() {
        static QUERY: PreparedQuery = PreparedQuery::new();
        let mut rendered = 0;
        let mut bind = |number: i64| {
            QUERY.bind(Dialect::Sqlite, [number.into()], || {
                rendered += 1;
                Query::select().expr(sea_query::Expr::value(0)).take()
            })
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
}
