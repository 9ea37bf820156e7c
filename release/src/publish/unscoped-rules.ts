import { isModuleClass } from '@countersign/contracts/module-class';
import postcss, { CssSyntaxError, type AtRule, type Root, type Rule as StyleRule } from 'postcss';
import parseSelectors, { type Selector } from 'postcss-selector-parser';

/** At-rules that affect the whole page. */
const globalAtRules = /^(import|font-face|property|namespace|page|counter-style)$/;

/** Rules of a stylesheet that can match elements of other parts. */
export function unscopedRules(css: string): readonly string[] {
  const found: string[] = [];
  const root = parse(css);
  // A browser applies the rules before and after the error.
  if (!root) return ['text that is no CSS'];
  root.walkAtRules((rule) => {
    if (globalAtRules.test(rule.name)) found.push(`@${rule.name} ${rule.params}`.trim());
    else if (isKeyframes(rule) && !isModuleClass(rule.params)) found.push(`@${rule.name} ${rule.params}`);
  });
  root.walkRules((rule) => {
    if (isFrame(rule)) return;
    try {
      parseSelectors((selectors) => {
        selectors.each((selector) => {
          if (!isScoped(selector) && !isNestedIn(rule)) found.push(String(selector).trim());
        });
      }).processSync(rule.selector);
    } catch {
      // No browser applies the rule, but later ones may know the selector.
      found.push(rule.selector);
    }
  });
  return [...new Set(found)];
}

/** Whether a compound selector requires a class of the part. A class in `:has()` or `:not()` does not scope the subject. */
function isScoped(selector: Selector): boolean {
  return selector.nodes.some((node) => node.type === 'class' && isModuleClass(node.value));
}

/** Whether a rule is nested. A nested rule is scoped by its parent. */
function isNestedIn(rule: StyleRule): boolean {
  return rule.parent?.type === 'rule';
}

function isKeyframes(rule: AtRule): boolean {
  return rule.name.endsWith('keyframes');
}

function isFrame(rule: StyleRule): boolean {
  return rule.parent?.type === 'atrule' && isKeyframes(rule.parent);
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
