//! The allowed template syntax. The syntax tree is rebuilt from allowed parts, and a filter that counts the value is
//! added wherever a value is created, compared or iterated.

use minijinja::Value;
use minijinja::machinery::Span;
use minijinja::machinery::ast::{
    BinOp, BinOpKind, Call, CallArg, Compare, CompareOp, Const, EmitExpr, Expr, Filter, ForLoop, GetAttr, GetItem,
    IfCond, IfExpr, List, Map, Slice, Spanned, Stmt, Template, Test, Tuple, UnaryOp, UnaryOpKind, Var,
};

use super::TemplateError;
use super::builtins::{
    CHARGED, CHARGED_TEXT, FILTERS, FUNCTIONS, NUMBER, REFUSED_FILTERS, REFUSED_FUNCTIONS, REFUSED_TESTS, TESTS,
};
use super::dates::{self, DATE};
use crate::text::nearest;

const STATEMENTS: &str = "if, elif, else, endif, for, endfor";
/// Maximum number of concatenations in a template: the engine concatenates constants at compile time.
const MAX_JOININGS: usize = 8;
/// Maximum nesting depth of expressions and statements: the engine recurses on its stack.
const MAX_DEPTH: usize = 100;

/// Rebuilds a syntax tree that renders within limits.
///
/// # Errors
/// The unsupported part and its line.
pub(super) fn guarded<'a>(tree: &Stmt<'a>) -> Result<Stmt<'a>, TemplateError> {
    Guard::default().statement(tree)
}

#[derive(Default)]
struct Guard {
    joinings: usize,
    depth: usize,
}

type Guarded<T> = Result<T, TemplateError>;

fn refused<T>(message: impl std::fmt::Display, span: Span) -> Guarded<T> {
    Err(TemplateError(format!("{message} (line {})", span.start_line)))
}

/// Applies a filter to an expression.
fn with<'a>(filter: &'static str, expr: Expr<'a>) -> Expr<'a> {
    let span = expr.span();
    Expr::Filter(Spanned::new(Filter { name: filter, expr: Some(expr), args: Vec::new() }, span))
}

impl Guard {
    fn deeper<T>(&mut self, span: Span, go_on: impl FnOnce(&mut Self) -> Guarded<T>) -> Guarded<T> {
        if self.depth == MAX_DEPTH {
            return refused(format!("blocks and expressions can be nested at most {MAX_DEPTH} levels deep"), span);
        }
        self.depth += 1;
        let done = go_on(self);
        self.depth -= 1;
        done
    }

    fn statements<'a>(&mut self, all: &[Stmt<'a>]) -> Guarded<Vec<Stmt<'a>>> {
        all.iter().map(|statement| self.statement(statement)).collect()
    }

    fn statement<'a>(&mut self, statement: &Stmt<'a>) -> Guarded<Stmt<'a>> {
        let no_statement =
            |word: &str, span| refused(format!("the statement {word} is not supported; use {STATEMENTS}"), span);
        match statement {
            Stmt::Template(it) => {
                let children = self.statements(&it.children)?;
                Ok(Stmt::Template(Spanned::new(Template { children }, it.span())))
            }
            // As an expression it passes through the formatter, which counts the rendered bytes.
            Stmt::EmitRaw(it) => {
                let expr = Expr::Const(Spanned::new(Const { value: Value::from(it.raw) }, it.span()));
                Ok(Stmt::EmitExpr(Spanned::new(EmitExpr { expr }, it.span())))
            }
            Stmt::EmitExpr(it) => {
                let expr = self.expression(&it.expr)?;
                Ok(Stmt::EmitExpr(Spanned::new(EmitExpr { expr }, it.span())))
            }
            Stmt::IfCond(it) => self.deeper(it.span(), |guard| {
                let expr = guard.expression(&it.expr)?;
                let (true_body, false_body) = (guard.statements(&it.true_body)?, guard.statements(&it.false_body)?);
                Ok(Stmt::IfCond(Spanned::new(IfCond { expr, true_body, false_body }, it.span())))
            }),
            Stmt::ForLoop(it) if it.recursive => refused("recursive loops are not supported", it.span()),
            Stmt::ForLoop(it) => self.deeper(it.span(), |guard| {
                let for_loop = ForLoop {
                    target: target(&it.target)?,
                    iter: guard.charged(&it.iter)?,
                    filter_expr: guard.maybe(it.filter_expr.as_ref())?,
                    recursive: false,
                    body: guard.statements(&it.body)?,
                    else_body: guard.statements(&it.else_body)?,
                };
                Ok(Stmt::ForLoop(Spanned::new(for_loop, it.span())))
            }),
            // Statements that bind names or process blocks are not supported.
            Stmt::Set(it) => no_statement("set", it.span()),
            Stmt::SetBlock(it) => no_statement("set", it.span()),
            Stmt::WithBlock(it) => no_statement("with", it.span()),
            Stmt::AutoEscape(it) => no_statement("autoescape", it.span()),
            Stmt::FilterBlock(it) => no_statement("filter", it.span()),
            Stmt::Do(it) => no_statement("do", it.span()),
        }
    }

    fn maybe<'a>(&mut self, expr: Option<&Expr<'a>>) -> Guarded<Option<Expr<'a>>> {
        expr.map(|expr| self.expression(expr)).transpose()
    }

    fn all<'a>(&mut self, all: &[Expr<'a>]) -> Guarded<Vec<Expr<'a>>> {
        all.iter().map(|expr| self.expression(expr)).collect()
    }

    /// Rebuilds an expression and counts its value.
    fn charged<'a>(&mut self, expr: &Expr<'a>) -> Guarded<Expr<'a>> {
        Ok(with(CHARGED, self.expression(expr)?))
    }

    fn arguments<'a>(&mut self, args: &[CallArg<'a>]) -> Guarded<Vec<CallArg<'a>>> {
        args.iter()
            .map(|arg| {
                Ok(match arg {
                    CallArg::Pos(expr) => CallArg::Pos(self.expression(expr)?),
                    CallArg::Kwarg(name, expr) => CallArg::Kwarg(name, self.expression(expr)?),
                    CallArg::PosSplat(expr) | CallArg::KwargSplat(expr) => {
                        return refused("* and ** are not supported in arguments", expr.span());
                    }
                })
            })
            .collect()
    }

    fn expression<'a>(&mut self, expr: &Expr<'a>) -> Guarded<Expr<'a>> {
        self.deeper(expr.span(), |guard| guard.rebuilt(expr))
    }

    fn rebuilt<'a>(&mut self, expr: &Expr<'a>) -> Guarded<Expr<'a>> {
        let span = expr.span();
        Ok(match expr {
            Expr::Var(it) => Expr::Var(Spanned::new(Var { id: it.id }, span)),
            Expr::Const(it) => Expr::Const(Spanned::new(Const { value: it.value.clone() }, span)),
            Expr::Slice(it) if it.step.is_some() => return refused("a slice cannot have a step", span),
            Expr::Slice(it) => {
                let (expr, start, stop) =
                    (self.charged(&it.expr)?, self.maybe(it.start.as_ref())?, self.maybe(it.stop.as_ref())?);
                with(CHARGED, Expr::Slice(Spanned::new(Slice { expr, start, stop, step: None }, span)))
            }
            Expr::UnaryOp(it) => {
                #[expect(clippy::needless_match, reason = "it cannot be copied")]
                let op = match it.op {
                    UnaryOpKind::Not => UnaryOpKind::Not,
                    UnaryOpKind::Neg => UnaryOpKind::Neg,
                };
                Expr::UnaryOp(Spanned::new(UnaryOp { op, expr: self.expression(&it.expr)? }, span))
            }
            Expr::BinOp(it) => self.operator(it)?,
            Expr::Compare(it) => {
                let expr = self.charged(&it.expr)?;
                let rebuilt = |op: &CompareOp<'a>| Ok(CompareOp { op: op.op, expr: self.charged(&op.expr)? });
                let ops = it.ops.iter().map(rebuilt).collect::<Guarded<_>>()?;
                Expr::Compare(Spanned::new(Compare { expr, ops }, span))
            }
            Expr::IfExpr(it) => {
                let test_expr = self.expression(&it.test_expr)?;
                let true_expr = self.expression(&it.true_expr)?;
                let false_expr = self.maybe(it.false_expr.as_ref())?;
                Expr::IfExpr(Spanned::new(IfExpr { test_expr, true_expr, false_expr }, span))
            }
            Expr::Filter(it) => {
                known("filter", it.name, FILTERS.iter().map(|it| it.name), &REFUSED_FILTERS, span)?;
                if it.name == DATE {
                    dates::check(&it.args).or_else(|message| refused(message, span))?;
                }
                let (expr, args) = (self.maybe(it.expr.as_ref())?, self.arguments(&it.args)?);
                Expr::Filter(Spanned::new(Filter { name: it.name, expr, args }, span))
            }
            Expr::Test(it) => {
                known("test", it.name, TESTS.iter().map(|it| it.name), &REFUSED_TESTS, span)?;
                let (expr, args) = (self.expression(&it.expr)?, self.arguments(&it.args)?);
                Expr::Test(Spanned::new(Test { name: it.name, expr, args }, span))
            }
            Expr::GetAttr(it) => {
                Expr::GetAttr(Spanned::new(GetAttr { expr: self.expression(&it.expr)?, name: it.name }, span))
            }
            // Indexing a text takes time proportional to its length, so texts are counted; lists and maps are not.
            Expr::GetItem(it) => {
                let expr = with(CHARGED_TEXT, self.expression(&it.expr)?);
                Expr::GetItem(Spanned::new(GetItem { expr, subscript_expr: self.charged(&it.subscript_expr)? }, span))
            }
            Expr::Call(it) => {
                let Expr::Var(name) = &it.expr else { return refused("only the function range can be called", span) };
                known("function", name.id, FUNCTIONS, &REFUSED_FUNCTIONS, span)?;
                let called = Expr::Var(Spanned::new(Var { id: name.id }, name.span()));
                let args = self.arguments(&it.args)?;
                with(CHARGED, Expr::Call(Spanned::new(Call { expr: called, args }, span)))
            }
            Expr::List(it) => with(CHARGED, Expr::List(Spanned::new(List { items: self.all(&it.items)? }, span))),
            Expr::Tuple(it) => with(CHARGED, Expr::Tuple(Spanned::new(Tuple { items: self.all(&it.items)? }, span))),
            Expr::Map(it) => {
                let (keys, values) = (self.all(&it.keys)?, self.all(&it.values)?);
                with(CHARGED, Expr::Map(Spanned::new(Map { keys, values }, span)))
            }
        })
    }

    fn operator<'a>(&mut self, it: &Spanned<BinOp<'a>>) -> Guarded<Expr<'a>> {
        let rebuilt = |left, right| Expr::BinOp(Spanned::new(BinOp { op: it.op, left, right }, it.span()));
        Ok(match it.op {
            BinOpKind::Add | BinOpKind::Concat => {
                self.joinings += 1;
                if self.joinings > MAX_JOININGS {
                    let message = format!("a text can contain at most {MAX_JOININGS} operators + and ~");
                    return refused(message, it.span());
                }
                with(CHARGED, rebuilt(self.charged(&it.left)?, self.charged(&it.right)?))
            }
            BinOpKind::Mul => {
                // The engine would evaluate this at compile time.
                let repeats = |side: &Expr<'_>| side.as_const().is_some_and(|value| !value.is_number());
                let (left, right) = (self.expression(&it.left)?, self.expression(&it.right)?);
                if repeats(&it.left) || repeats(&it.right) {
                    return refused("* only multiplies numbers", it.span());
                }
                rebuilt(with(NUMBER, left), with(NUMBER, right))
            }
            BinOpKind::Eq
            | BinOpKind::Ne
            | BinOpKind::Lt
            | BinOpKind::Lte
            | BinOpKind::Gt
            | BinOpKind::Gte
            | BinOpKind::In => rebuilt(self.charged(&it.left)?, self.charged(&it.right)?),
            // Arithmetic fails unless both sides are numbers; `and` and `or` return one side unchanged.
            BinOpKind::Sub
            | BinOpKind::Div
            | BinOpKind::FloorDiv
            | BinOpKind::Rem
            | BinOpKind::Pow
            | BinOpKind::ScAnd
            | BinOpKind::ScOr => rebuilt(self.expression(&it.left)?, self.expression(&it.right)?),
        })
    }
}

/// Rebuilds the target of a loop.
fn target<'a>(expr: &Expr<'a>) -> Guarded<Expr<'a>> {
    match expr {
        Expr::Var(it) => Ok(Expr::Var(Spanned::new(Var { id: it.id }, it.span()))),
        Expr::List(it) => {
            let items = it.items.iter().map(target).collect::<Guarded<_>>()?;
            Ok(Expr::List(Spanned::new(List { items }, it.span())))
        }
        other => refused("for must be followed by one or more variable names", other.span()),
    }
}

/// Rejects names that are not in the table.
fn known(
    what: &str,
    name: &str,
    table: impl IntoIterator<Item = &'static str>,
    refuses: &[&str],
    span: Span,
) -> Guarded<()> {
    let table: Vec<&str> = table.into_iter().collect();
    if table.contains(&name) {
        return Ok(());
    }
    if refuses.contains(&name) {
        return refused(format!("the {what} {name} is not allowed in texts"), span);
    }
    let near = nearest(name, table);
    let hint = if near.is_empty() { String::new() } else { format!("; did you mean: {}", near.join(", ")) };
    Err(TemplateError(format!("unknown {what} {name} (line {}){hint}", span.start_line)))
}
