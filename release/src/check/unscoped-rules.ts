import { isModuleClass } from '@countersign/contracts/check-fragment';
import postcss, { type AtRule, type Node, type Rule as StyleRule } from 'postcss';
import parseSelectors, { type Selector } from 'postcss-selector-parser';

/** At-rules that affect nothing but the rules inside, and the encoding. All others may affect the whole page. */
const localAtRules = /^(charset|container|media|starting-style|supports)$/i;

/** Rules of a stylesheet that can match elements of other parts. Rules that are nested in a rule of the part are taken for correct. */
export function unscopedRules(css: string): readonly string[] {
  const found = new Set<string>();
  const root = postcss.parse(css);
  root.walkAtRules((rule) => {
    const isLocal = isKeyframes(rule) ? isModuleClass(rule.params) : localAtRules.test(rule.name);
    if (!isLocal) found.add(`@${rule.name} ${rule.params}`.trim());
  });
  root.walkRules((rule) => {
    if (isNested(rule)) return;
    parseSelectors((selectors) => {
      selectors.each((selector) => {
        if (!isScoped(selector)) found.add(String(selector).trim());
      });
    }).processSync(rule.selector);
  });
  return [...found];
}

/**
 * Whether a selector matches elements of the part only: its subject has a class of the part, or is inside of an element with
 * one. A class in `:has()` or `:not()` does not scope the subject, and siblings of the part's elements may belong to others.
 */
function isScoped(selector: Selector): boolean {
  let isOwned = false;
  for (const node of selector.nodes) {
    if (node.type === 'combinator') {
      // Everything that follows is inside of an own element.
      if (isOwned && /^\s*>?\s*$/.test(node.value)) return true;
      isOwned = false;
    } else if (node.type === 'class' && isModuleClass(node.value)) isOwned = true;
  }
  return isOwned;
}

function isKeyframes(node: Node): boolean {
  return node.type === 'atrule' && /^(?:-\w+-)?keyframes$/i.test((node as AtRule).name);
}

/** Whether a rule is inside of another one, or a step of an animation. */
function isNested(rule: StyleRule): boolean {
  for (let node: Node | undefined = rule.parent; node; node = node.parent) {
    if (node.type === 'rule' || isKeyframes(node)) return true;
  }
  return false;
}
