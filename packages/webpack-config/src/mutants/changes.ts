import ts from 'typescript';

/** What may stand in the place of an expression. */
export interface Change {
  /** For people. */
  readonly text: string;
  readonly replacement: ts.Expression;
}

const { factory, SyntaxKind: Kind } = ts;

const opposites = [
  [Kind.EqualsEqualsEqualsToken, Kind.ExclamationEqualsEqualsToken],
  [Kind.LessThanToken, Kind.LessThanEqualsToken],
  [Kind.GreaterThanToken, Kind.GreaterThanEqualsToken],
  [Kind.AmpersandAmpersandToken, Kind.BarBarToken],
  [Kind.PlusToken, Kind.MinusToken],
  [Kind.AsteriskToken, Kind.SlashToken],
] as const;
const otherOperator = new Map<ts.SyntaxKind, ts.BinaryOperator>(
  opposites.flatMap(([one, other]) => [[one, other] as const, [other, one] as const]),
);

const mutantText = 'Mutant';
export const nothing = () => factory.createIdentifier('undefined');

/** In one line, and short. */
export function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

/** The change of a text, which `shown` is in the source. */
export const otherText = (shown: string): Change => ({
  text: `${shorten(shown)} → "${mutantText}"`,
  replacement: factory.createStringLiteral(mutantText),
});

/** Changes of code: of a condition, an operator, a number or a text, and without the call that a short function makes. */
export function changesOf(node: ts.Node): readonly Change[] {
  const text = shorten(node.getText());
  const into = (replacement: ts.Expression, shown: string) => ({ text: `${text} → ${shown}`, replacement });
  if (isCondition(node)) return [into(factory.createTrue(), 'true'), into(factory.createFalse(), 'false')];
  if (ts.isArrowFunction(node.parent) && ts.isCallExpression(node) && !isHandler(node.parent))
    return [{ text: `without ${text}`, replacement: nothing() }];
  if (ts.isBinaryExpression(node)) {
    const { left, operatorToken, right } = node;
    const other = otherOperator.get(operatorToken.kind);
    // A text can be added only.
    if (other === undefined || [left, right].some(isText)) return [];
    const shown = [left.getText(), ts.tokenToString(other), right.getText()].join(' ');
    return [into(factory.createBinaryExpression(left, other, right), shorten(shown))];
  }
  if (isName(node)) return [];
  if (ts.isNumericLiteral(node)) {
    // One millisecond more is equivalent.
    const other = String(Number(node.text) > 99 ? 1 : Number(node.text) + 1);
    return [into(factory.createNumericLiteral(other), other)];
  }
  if (node.kind === Kind.TrueKeyword) return [into(factory.createFalse(), 'false')];
  if (node.kind === Kind.FalseKeyword) return [into(factory.createTrue(), 'true')];
  return isText(node) && /[^\s'"`]/.test(text) ? [otherText(text)] : [];
}

/** Whether a node is written as a text. */
export const isText = (node: ts.Node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

function isCondition(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isIfStatement(parent)) return parent.expression === node;
  return ts.isConditionalExpression(parent) && parent.condition === node;
}

/** Whether a function is the whole value of an attribute, which is dropped as a whole. */
const isHandler = ({ parent }: ts.ArrowFunction) =>
  ts.isJsxExpression(parent) && ts.isJsxAttribute(parent.parent);

/** Whether a literal is no value of the program, is one without which it cannot load, or is dropped as an attribute. */
function isName(node: ts.Node): boolean {
  const { parent } = node;
  const isKey = ('name' in parent && parent.name === node) || ts.isElementAccessExpression(parent);
  const isType = ts.isBinaryExpression(parent) && ts.isTypeOfExpression(parent.left);
  const isFile = ts.isCallExpression(parent) && parent.expression.kind === Kind.ImportKeyword;
  const isMessage = ts.isNewExpression(parent) || ts.isExpressionStatement(parent);
  const isAttribute = [parent, parent.parent].some(ts.isJsxAttribute);
  return isKey || isType || isFile || isMessage || isAttribute || ts.isTaggedTemplateExpression(parent);
}
