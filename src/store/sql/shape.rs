//! Statements whose text never changes: a large batch renders it once and then only binds values.

use std::sync::OnceLock;

use sea_query::QueryStatementWriter;

use super::executor::{Dialect, Statement};
use super::row::Cell;

/// The text of a statement in each dialect, rendered when it is first needed.
pub(super) struct Shape {
    #[cfg(feature = "sqlite")]
    sqlite: OnceLock<String>,
    #[cfg(feature = "postgres")]
    postgres: OnceLock<String>,
}

impl Shape {
    pub(super) const fn new() -> Self {
        Self {
            #[cfg(feature = "sqlite")]
            sqlite: OnceLock::new(),
            #[cfg(feature = "postgres")]
            postgres: OnceLock::new(),
        }
    }

    /// The statement with these values, of which there must be as many as `statement` has, in its order. What values `statement`
    /// itself has is of no matter.
    pub(super) fn bind<S: QueryStatementWriter>(
        &'static self,
        dialect: Dialect,
        values: impl Into<Vec<Cell>>,
        statement: impl FnOnce() -> S,
    ) -> Statement {
        let text = match dialect {
            #[cfg(feature = "sqlite")]
            Dialect::Sqlite => &self.sqlite,
            #[cfg(feature = "postgres")]
            Dialect::Postgres => &self.postgres,
        };
        let text = text.get_or_init(|| dialect.build(&statement()).0);
        Statement { text: text.as_str().into(), values: values.into() }
    }
}

#[cfg(feature = "sqlite")]
#[cfg(test)]
mod tests {
    use sea_query::Query;

    use super::*;

    #[test]
    fn the_text_is_rendered_once_and_each_statement_has_values_of_its_own() {
        static SHAPE: Shape = Shape::new();
        let mut rendered = 0;
        let mut bind = |number: i64| {
            SHAPE.bind(Dialect::Sqlite, [number.into()], || {
                rendered += 1;
                Query::select().expr(sea_query::Expr::value(0)).take()
            })
        };
        let (one, other) = (bind(1), bind(2));
        assert_eq!((one.text.as_ref(), one.values), ("SELECT ?", vec![Cell::Integer(1)]));
        assert_eq!((other.text.as_ref(), other.values), ("SELECT ?", vec![Cell::Integer(2)]));
        assert!(std::ptr::eq(one.text.as_ptr(), other.text.as_ptr()));
        assert_eq!(rendered, 1);
    }
}
