import { relative, sep } from 'node:path';
import ts from 'typescript';
import { changesOf, isText, nothing, otherText, shorten, type Change } from './changes.ts';
import { fileMarksIn, marksIn, reasonOf, type Mark } from './marks.ts';

/** A small change of a part's sources. The built code has it behind a switch, `globalThis.isMutant(id)`; a stylesheet has its id. */
export interface Mutant {
  readonly id: string;
  /** Relative to the part's folder. */
  readonly file: string;
  /** The lines of the place that it changes, from 1. */
  readonly lines: readonly [first: number, last: number];
  /** Offsets of that place. A change inside of another one cannot be seen beside it. */
  readonly span: readonly [start: number, end: number];
  /** The declaration around it. None in stylesheets. */
  readonly place: string;
  /** What is changed: `'Most Popular' → "Mutant"`. */
  readonly change: string;
  /** Why nothing has to notice it, from a comment beside it. */
  readonly reason?: string | undefined;
}

const { factory } = ts;

/** Attributes without an effect of their own, or whose effect is that of declarations in a stylesheet. */
const keptAttributes: readonly string[] = ['key', 'className'];

/**
 * Puts mutants into the sources of a part, each behind a switch. For ts-loader, before TypeScript removes types and JSX.
 *
 * @param found gets them by id. Every build of the same sources finds the same.
 */
export function insertMutants(
  root: string,
  found: Map<string, Mutant>,
): ts.TransformerFactory<ts.SourceFile> {
  return (context) => (source) => {
    const file = relative(root, source.fileName).replaceAll(sep, '/');
    if (!file.startsWith('src/')) return source;
    const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
    const marks = marksIn(source.text);
    let count = 0;
    /** Notes a mutant of a node. Returns the condition under which it is on. */
    const switchOf = (node: ts.Node, change: string, around: readonly Mark[]): ts.Expression => {
      count += 1;
      const id = `${file}#${count}`;
      const [start, end] = [node.getStart(source), node.end];
      const [lines, span] = [[lineOf(start), lineOf(end)] as const, [start, end] as const];
      const place = placeOf(node);
      found.set(id, { id, file, lines, span, place, change, reason: reasonOf(around, change) });
      return factory.createCallChain(
        factory.createPropertyAccessExpression(factory.createIdentifier('globalThis'), 'isMutant'),
        factory.createToken(ts.SyntaxKind.QuestionDotToken),
        undefined,
        [factory.createStringLiteral(id)],
      );
    };
    const visit = (node: ts.Node, outer: readonly Mark[]): ts.Node => {
      if (ts.isTypeNode(node) || ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node;
      const line = lineOf(node.getStart(source));
      const around = [...outer, ...marks.filter((mark) => mark.line === line)];
      const visited = ts.visitEachChild(node, (child) => visit(child, around), context);
      return withMutants(node, visited, (change) => switchOf(node, change, around));
    };
    return ts.visitEachChild(source, (node) => visit(node, fileMarksIn(source.text)), context);
  };
}

/**
 * Puts the mutants of a node into what has become of it by those of its children.
 *
 * @param isOn returns the condition for a change
 */
function withMutants(node: ts.Node, visited: ts.Node, isOn: (change: string) => ts.Expression): ts.Node {
  const choose = (original: ts.Expression, changes: readonly Change[]) =>
    changes.reduce<ts.Expression>((expression, { text, replacement }) => {
      const parts = [isOn(text), undefined, replacement, undefined, expression] as const;
      return factory.createParenthesizedExpression(factory.createConditionalExpression(...parts));
    }, original);
  const text = `without ${shorten(node.getText())}`;
  const drop = (original: ts.Expression, replacement: ts.Expression = nothing()) =>
    choose(original, [{ text, replacement }]);

  if (ts.isJsxAttribute(visited)) {
    const value = valueOf(visited);
    if (!value || keptAttributes.includes(visited.name.getText())) return visited;
    return factory.updateJsxAttribute(visited, visited.name, inBraces(drop(value)));
  }
  if (ts.isJsxSpreadAttribute(visited))
    return factory.updateJsxSpreadAttribute(visited, drop(visited.expression, factory.createNull()));
  if (ts.isJsxElement(node.parent) || ts.isJsxFragment(node.parent)) {
    if (ts.isJsxText(visited)) {
      if (visited.text.trim() === '') return visited;
      // In a fragment, because TypeScript then treats its spaces as before.
      const [opening, closing] = [factory.createJsxOpeningFragment(), factory.createJsxJsxClosingFragment()];
      const original = factory.createJsxFragment(opening, [visited], closing);
      return inBraces(choose(original, [otherText(`"${visited.text.trim()}"`)]));
    }
    if (ts.isJsxElement(visited) || ts.isJsxSelfClosingElement(visited))
      return inBraces(drop(visited, factory.createNull()));
    // Texts are replaced.
    const isLiteral = ts.isJsxExpression(node) && node.expression && isText(node.expression);
    if (!ts.isJsxExpression(visited) || !visited.expression || isLiteral) return visited;
    return factory.updateJsxExpression(visited, drop(visited.expression, factory.createNull()));
  }
  if (ts.isReturnStatement(visited) && visited.expression && !isMarkup(visited.expression))
    return factory.updateReturnStatement(visited, drop(visited.expression));
  if (ts.isExpressionStatement(visited) && !ts.isStringLiteral(visited.expression))
    return factory.updateExpressionStatement(visited, drop(visited.expression));
  return ts.isExpression(visited) ? choose(visited, changesOf(node)) : visited;
}

const inBraces = (expression: ts.Expression) => factory.createJsxExpression(undefined, expression);

/** The value of an attribute, unless it has an entity, which only attributes may have. */
function valueOf({ initializer }: ts.JsxAttribute): ts.Expression | undefined {
  if (!initializer) return factory.createTrue();
  if (ts.isStringLiteral(initializer)) return initializer.text.includes('&') ? undefined : initializer;
  return ts.isJsxExpression(initializer) ? initializer.expression : initializer;
}

const isMarkup = (node: ts.Expression): boolean =>
  ts.isParenthesizedExpression(node)
    ? isMarkup(node.expression)
    : ts.isJsxElement(node) || ts.isJsxFragment(node);

/** Name of the outermost declaration around a node. */
function placeOf(node: ts.Node): string {
  let outermost = node;
  while (!ts.isSourceFile(outermost.parent)) outermost = outermost.parent;
  const [variable] = ts.isVariableStatement(outermost) ? outermost.declarationList.declarations : [];
  const name = variable?.name ?? (ts.isFunctionDeclaration(outermost) ? outermost.name : undefined);
  return name?.getText() ?? '';
}
