import ts from 'typescript';
import { expect, test } from 'vitest';
import { nodesOf, sources, staticImports } from '../testing/sources';

const all = sources();

/** Attributes with a text that a person reads or hears. */
const ATTRIBUTES =
  /^(label|title|description|placeholder|alt|aria-label|aria-description|aria-roledescription)$/;
const hasWord = (text: string) => /\p{L}{2}/u.test(text);

/** Literals that are the same in all languages: names of products, and examples. */
const ANY_LANGUAGE = /^(JSON|https?:\/\/\S*|\S+@\S+)$/;

function isText(node: ts.Node): boolean {
  if (ts.isJsxText(node)) return isWord(node.text);
  if (ts.isJsxAttribute(node) && ATTRIBUTES.test(node.name.getText())) {
    const value = node.initializer;
    if (!value) return false;
    if (ts.isStringLiteral(value)) return isWord(value.text);
    return ts.isJsxExpression(value) && !!value.expression && isLiteral(value.expression);
  }
  return (
    ts.isJsxExpression(node) &&
    !ts.isJsxAttribute(node.parent) &&
    !!node.expression &&
    isLiteral(node.expression)
  );
}

const isWord = (text: string) => hasWord(text) && !ANY_LANGUAGE.test(text.trim());

/** Whether an expression is a text, or a condition with a text in one part. */
function isLiteral(node: ts.Expression): boolean {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return isWord(node.text);
  if (ts.isTemplateExpression(node)) {
    return [node.head.text, ...node.templateSpans.map((it) => it.literal.text)].some(isWord);
  }
  if (ts.isConditionalExpression(node)) return isLiteral(node.whenTrue) || isLiteral(node.whenFalse);
  if (ts.isParenthesizedExpression(node)) return isLiteral(node.expression);
  return ts.isBinaryExpression(node) && isLiteral(node.right);
}

test('no text is written in JSX', () => {
  const found = all.filter((it) => it.path.endsWith('x')).flatMap((it) => nodesOf(it, isText));
  expect(found, 'move them to a group of src/i18n/en').toEqual([]);
});

/** Members of objects that are shown, such as the header of a column. */
const MEMBERS = /^(label|title|description|placeholder|header|says|hint|verb|word|what|error)$/;

test('no text is written in an object', () => {
  const isKey = (node: ts.Node) => ts.isStringLiteral(node) && /^[a-z]\w*$/.test(node.text);
  const isText = (node: ts.Node) =>
    ts.isPropertyAssignment(node) &&
    MEMBERS.test(node.name.getText()) &&
    isLiteral(node.initializer) &&
    !isKey(node.initializer);
  const code = all.filter((it) => !/^i18n\/(en|de)\//.test(it.path));
  expect(code.flatMap((it) => nodesOf(it, isText))).toEqual([]);
});

/** The names that a file gives to the results of `texts()`. */
function names(tree: ts.SourceFile): Set<string> {
  const found = new Set<string>();
  for (const statement of tree.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      const isTexts =
        initializer && ts.isCallExpression(initializer) && initializer.expression.getText() === 'texts';
      if (isTexts) found.add(name.getText());
    }
  }
  return found;
}

const isFunction = (node: ts.Node): boolean =>
  ts.isFunctionLike(node) || (node.parent ? isFunction(node.parent) : false);

test('texts are read in functions: a constant of a module is evaluated before they are loaded', () => {
  const found = all.flatMap((source) => {
    const known = names(source.tree);
    return nodesOf(
      source,
      (node) =>
        ts.isCallExpression(node) &&
        known.has(node.expression.getText().split('.')[0] ?? '') &&
        !isFunction(node),
    );
  });
  expect(found).toEqual([]);
});

test('texts are requested at the top of a module, so they are loaded with it', () => {
  const isTexts = (node: ts.Node) => ts.isCallExpression(node) && node.expression.getText() === 'texts';
  const found = all.flatMap((source) => nodesOf(source, (node) => isTexts(node) && isFunction(node)));
  expect(found).toEqual([]);
});

test('no file imports texts: they are loaded in the chosen language', () => {
  const isTexts = (node: ts.Node) =>
    (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
    !/^(import|export) type /.test(node.getText()) &&
    /(i18n|^\.)\/(en|de)(\/|$)/.test((node.moduleSpecifier as ts.StringLiteral | undefined)?.text ?? '');
  expect(all.flatMap((it) => nodesOf(it, isTexts))).toEqual([]);
});

test('the first load contains no texts of pages', () => {
  const found = [...staticImports('main.tsx')].filter((it) => /^i18n\/(en|de)\b/.test(it));
  expect(found).toEqual([]);
});

test('the first load requests the common texts, which all groups use', () => {
  const first = staticImports('main.tsx');
  expect(all.some((it) => first.has(it.path) && it.text.includes("texts('common')"))).toBe(true);
});

test('files with texts format dates and numbers in the language of the panel', () => {
  const isIntl = (node: ts.Node) =>
    ts.isPropertyAccessExpression(node) &&
    (/^toLocale\w*String$/.test(node.name.text) || node.expression.getText() === 'Intl');
  const scanned = all.filter((it) => names(it.tree).size > 0);
  expect(
    scanned.flatMap((it) => nodesOf(it, isIntl)),
    'use src/i18n/format.ts',
  ).toEqual([]);
});
