import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** A file of the panel, parsed. */
export interface Source {
  /** The path below `src`. */
  path: string;
  text: string;
  tree: ts.SourceFile;
}

function parse(path: string): Source {
  const text = readFileSync(join('src', path), 'utf8');
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind) };
}

/** All files of the panel except tests. */
export function sources(): Source[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' });
  const isSource = (it: string) => /\.tsx?$/.test(it) && !/(\.test\.tsx?|testing\.tsx?|schema\.ts)$/.test(it);
  return files.filter((it) => isSource(it) && !it.startsWith('testing/')).map(parse);
}

/** The files that are loaded with a file: static imports of values, followed transitively. */
export function staticImports(path: string, known = new Set<string>()): Set<string> {
  if (known.has(path)) return known;
  known.add(path);
  for (const statement of parse(path).tree.statements) {
    const isImport = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
    if (!isImport || !statement.moduleSpecifier || isOnlyTypes(statement)) continue;
    const found = resolve(path, (statement.moduleSpecifier as ts.StringLiteral).text);
    if (found) staticImports(found, known);
  }
  return known;
}

function isOnlyTypes(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly;
  const clause = statement.importClause;
  if (!clause || clause.name) return false;
  const named = clause.namedBindings;
  return (
    clause.isTypeOnly || (!!named && ts.isNamedImports(named) && named.elements.every((it) => it.isTypeOnly))
  );
}

function resolve(from: string, to: string): string | undefined {
  if (!to.startsWith('.')) return undefined;
  const base = join(dirname(from), to);
  return ['.ts', '.tsx'].map((it) => base + it).find((it) => isFile(join('src', it)));
}

const isFile = (path: string) => existsSync(path) && statSync(path).isFile();

/** The accepted nodes of a tree, each with its line. */
export function nodesOf({ path, tree }: Source, accepts: (node: ts.Node) => boolean): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (accepts(node)) {
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
      found.push(`${path}:${line + 1} ${node.getText(tree).trim()}`);
    }
    node.forEachChild(visit);
  };
  visit(tree);
  return found;
}
