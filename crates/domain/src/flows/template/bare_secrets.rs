//! Checks that a template uses secrets only as `{{ secrets.NAME }}`.
//!
//! An expression could reveal a secret's value, one condition per character. A bare output only sends the value to a
//! host that may receive it.

use minijinja::machinery::Span;
use minijinja::machinery::ast::{CallArg, Expr, Stmt};

pub(in crate::flows) const ROOT: &str = "secrets";
/// Maximum depth of the search. Templates with deeper nesting are rejected anyway.
const MAX_DEPTH: usize = 400;

/// Returns the line of the first use of `secrets` other than `{{ secrets.NAME }}`.
pub(super) fn misuse(tree: &Stmt<'_>) -> Option<u32> {
    in_statement(tree, MAX_DEPTH).map(|span| u32::from(span.start_line))
}

/// Whether this expression is `secrets.NAME`.
fn is_bare(expr: &Expr<'_>) -> bool {
    matches!(expr, Expr::GetAttr(it) if matches!(&it.expr, Expr::Var(root) if root.id == ROOT))
}

fn in_statement(statement: &Stmt<'_>, depth: usize) -> Option<Span> {
    let depth = depth.checked_sub(1)?;
    let body = |statements: &[Stmt<'_>]| statements.iter().find_map(|it| in_statement(it, depth));
    let mentions = |expr: &Expr<'_>| mention(expr, depth);
    match statement {
        Stmt::EmitRaw(_) => None,
        Stmt::EmitExpr(it) if is_bare(&it.expr) => None,
        Stmt::EmitExpr(it) => mentions(&it.expr),
        Stmt::Template(it) => body(&it.children),
        Stmt::IfCond(it) => mentions(&it.expr).or_else(|| body(&it.true_body)).or_else(|| body(&it.false_body)),
        Stmt::ForLoop(it) => mentions(&it.target)
            .or_else(|| mentions(&it.iter))
            .or_else(|| it.filter_expr.as_ref().and_then(mentions))
            .or_else(|| body(&it.body))
            .or_else(|| body(&it.else_body)),
        // These statements are never allowed, with or without secrets. An output inside them is not bare.
        Stmt::Set(it) => mentions(&it.target).or_else(|| mentions(&it.expr)),
        Stmt::SetBlock(it) => {
            mentions(&it.target).or_else(|| it.filter.as_ref().and_then(mentions)).or_else(|| in_block(&it.body, depth))
        }
        Stmt::WithBlock(it) => {
            let assigned =
                it.assignments.iter().find_map(|(target, value)| mentions(target).or_else(|| mentions(value)));
            assigned.or_else(|| in_block(&it.body, depth))
        }
        Stmt::AutoEscape(it) => mentions(&it.enabled).or_else(|| in_block(&it.body, depth)),
        Stmt::FilterBlock(it) => mentions(&it.filter).or_else(|| in_block(&it.body, depth)),
        Stmt::Do(it) => mentions(&it.call.expr).or_else(|| it.call.args.iter().find_map(|arg| in_argument(arg, depth))),
    }
}

/// Finds any use inside a block that processes its content.
fn in_block(body: &[Stmt<'_>], depth: usize) -> Option<Span> {
    let depth = depth.checked_sub(1)?;
    body.iter().find_map(|statement| match statement {
        Stmt::EmitExpr(it) => mention(&it.expr, depth),
        Stmt::Template(it) => in_block(&it.children, depth),
        Stmt::IfCond(it) => mention(&it.expr, depth)
            .or_else(|| in_block(&it.true_body, depth))
            .or_else(|| in_block(&it.false_body, depth)),
        Stmt::ForLoop(it) => in_statement(statement, depth)
            .or_else(|| in_block(&it.body, depth))
            .or_else(|| in_block(&it.else_body, depth)),
        Stmt::EmitRaw(_)
        | Stmt::Set(_)
        | Stmt::SetBlock(_)
        | Stmt::WithBlock(_)
        | Stmt::AutoEscape(_)
        | Stmt::FilterBlock(_)
        | Stmt::Do(_) => in_statement(statement, depth),
    })
}

fn in_argument(arg: &CallArg<'_>, depth: usize) -> Option<Span> {
    match arg {
        CallArg::Pos(expr) | CallArg::Kwarg(_, expr) | CallArg::PosSplat(expr) | CallArg::KwargSplat(expr) => {
            mention(expr, depth)
        }
    }
}

/// Finds the position where an expression reads `secrets` or assigns that name.
fn mention(expr: &Expr<'_>, depth: usize) -> Option<Span> {
    let depth = depth.checked_sub(1)?;
    let one = |expr: &Expr<'_>| mention(expr, depth);
    let maybe = |expr: &Option<Expr<'_>>| expr.as_ref().and_then(one);
    let arguments = |args: &[CallArg<'_>]| args.iter().find_map(|arg| in_argument(arg, depth));
    match expr {
        Expr::Var(it) => (it.id == ROOT).then(|| it.span()),
        Expr::Const(_) => None,
        Expr::Slice(it) => {
            one(&it.expr).or_else(|| maybe(&it.start)).or_else(|| maybe(&it.stop)).or_else(|| maybe(&it.step))
        }
        Expr::UnaryOp(it) => one(&it.expr),
        Expr::BinOp(it) => one(&it.left).or_else(|| one(&it.right)),
        Expr::Compare(it) => one(&it.expr).or_else(|| it.ops.iter().find_map(|op| one(&op.expr))),
        Expr::IfExpr(it) => one(&it.test_expr).or_else(|| one(&it.true_expr)).or_else(|| maybe(&it.false_expr)),
        Expr::Filter(it) => maybe(&it.expr).or_else(|| arguments(&it.args)),
        Expr::Test(it) => one(&it.expr).or_else(|| arguments(&it.args)),
        Expr::GetAttr(it) => one(&it.expr),
        Expr::GetItem(it) => one(&it.expr).or_else(|| one(&it.subscript_expr)),
        Expr::Call(it) => one(&it.expr).or_else(|| arguments(&it.args)),
        Expr::List(it) => it.items.iter().find_map(one),
        Expr::Tuple(it) => it.items.iter().find_map(one),
        Expr::Map(it) => it.keys.iter().find_map(one).or_else(|| it.values.iter().find_map(one)),
    }
}
