import { isModuleClass } from '@countersign/contracts/module-class';
import { tokenize, TokenType } from '@csstools/css-tokenizer';
import postcss, { CssSyntaxError, type AtRule, type Node, type Root, type Rule as StyleRule } from 'postcss';
import parseSelectors, { type Selector } from 'postcss-selector-parser';

/** At-rules that affect nothing but the rules inside, and the encoding. All others may affect the whole page. */
const localAtRules = /^(charset|container|media|starting-style|supports)$/;

/**
 * Rules of a stylesheet that can match elements of other parts.
 *
 * @param foreignNames classes and animations of CSS Modules of other parts
 */
export function unscopedRules(css: string, foreignNames: ReadonlySet<string> = new Set()): readonly string[] {
  const found: string[] = [];
  const isOwnName = (name: string) => isModuleClass(name) && !foreignNames.has(name);
  const root = parse(css);
  // A browser applies the rules before and after the error.
  if (!root) return ['text that is no CSS'];
  found.push(...ambiguousTokens(css));
  root.walkAtRules((rule) => {
    const isLocal = isKeyframes(rule) ? isOwnName(rule.params) : localAtRules.test(rule.name.toLowerCase());
    if (!isLocal) found.push(`@${rule.name} ${rule.params}`.trim());
  });
  const unscoped = new Set<StyleRule>();
  // Visits a rule before those that are nested in it.
  root.walkRules((rule) => {
    const parent = closest(rule, (node) => node.type === 'rule');
    // A nested rule is correct or wrong together with the rule around it.
    if (closest(rule, isKeyframes) || (parent && unscoped.has(parent))) return;
    for (const selector of unscopedSelectors(rule, parent !== undefined, isOwnName)) {
      found.push(selector);
      unscoped.add(rule);
    }
  });
  return [...new Set(found)];
}

/** @param isNested whether the rule is inside of another one, which is scoped */
function unscopedSelectors(
  rule: StyleRule,
  isNested: boolean,
  isOwnName: (name: string) => boolean,
): readonly string[] {
  const found: string[] = [];
  try {
    parseSelectors((selectors) => {
      selectors.each((selector) => {
        if (!isScoped(selector, isNested, isOwnName)) found.push(String(selector).trim());
      });
    }).processSync(rule.selector);
    return found;
  } catch {
    // No browser applies the rule, but later ones may know the selector.
    return [rule.selector];
  }
}

/**
 * Whether a selector matches elements of the part only: its subject has a class of the part, or is inside of an element with
 * one. A class in `:has()` or `:not()` does not scope the subject, and siblings of the part's elements may belong to others.
 */
function isScoped(selector: Selector, isNested: boolean, isOwnName: (name: string) => boolean): boolean {
  let hasNesting = false;
  selector.walkNesting(() => {
    hasNesting = true;
  });
  const isOwn = (node: Selector['nodes'][number]) =>
    (node.type === 'class' && isOwnName(node.value)) || (node.type === 'nesting' && isNested);
  const isRelative = isNested && !hasNesting;
  // Without "&" and a combinator, a nested selector matches inside of the elements of the rule around it.
  if (isRelative && selector.first?.type !== 'combinator') return true;
  let owned = isRelative;
  for (const node of selector.nodes) {
    if (node.type === 'combinator') {
      // Everything that follows is inside of an own element.
      if (owned && /^\s*>?\s*$/.test(node.value)) return true;
      owned = false;
    } else if (isOwn(node)) owned = true;
  }
  return owned;
}

/** Classes and animations in a stylesheet whose names were generated for a CSS Module. */
export function moduleNames(css: string): readonly string[] {
  const names = [...css.matchAll(/(?:\.|keyframes\s+)([\w-]+)/g)].map(([, name = '']) => name);
  return names.filter(isModuleClass);
}

/**
 * Tokens that postcss may end elsewhere than browsers do, so that it does not see rules that browsers apply: broken strings
 * and URLs, names of functions with escapes (`u\72l(`), and unquoted URLs with quotes, brackets, escapes or comments.
 */
function ambiguousTokens(css: string): readonly string[] {
  return tokenize({ css })
    .filter(([type, text]) => {
      if (type === TokenType.Function) return text.includes('\\');
      if (type === TokenType.URL) return !/^url\((?:(?!\/\*)[^"'()[\]{}\\])*\)$/i.test(text);
      return type === TokenType.BadString || type === TokenType.BadURL;
    })
    .map(([type, text]) => (type === TokenType.BadString ? 'a string with a line break' : text));
}

function isKeyframes(node: Node): boolean {
  return node.type === 'atrule' && /^(?:-\w+-)?keyframes$/i.test((node as AtRule).name);
}

/** The closest node around a rule of which something is true. */
function closest(rule: StyleRule, is: (node: Node) => boolean): StyleRule | undefined {
  for (let node: Node | undefined = rule.parent; node; node = node.parent) {
    if (is(node)) return node as StyleRule;
  }
  return undefined;
}

/** Returns `undefined` for invalid CSS. */
function parse(css: string): Root | undefined {
  try {
    return postcss.parse(css);
  } catch (error) {
    if (error instanceof CssSyntaxError) return undefined;
    throw error;
  }
}
