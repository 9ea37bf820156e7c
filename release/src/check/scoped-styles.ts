import { isModuleClass } from '@countersign/contracts/module-class';
import postcss, { type AtRule, type Rule as StyleRule } from 'postcss';
import parseSelectors, { type Selector } from 'postcss-selector-parser';
import { newlyReferencedVersions } from '../store/referenced-versions.ts';
import { summarizeList, type Violation, type Rule } from './violation.ts';

/** At-rules that affect the whole page. */
const globalAtRules = /^(import|font-face|property|namespace|page|counter-style)$/;

/** A remote's styles must affect its own elements only. The shell's styles may be global. */
export const scopedStyles: Rule = async (candidate) => {
  const violations: Violation[] = [];
  for (const { part, version } of newlyReferencedVersions(candidate.live, candidate.next)) {
    if (part === 'shell') continue;
    const files = Object.keys((await candidate.store.hashesOf(part, version)) ?? {});
    const places: string[] = [];
    for (const file of files.filter((name) => name.endsWith('.css'))) {
      const text = await candidate.store.readFile(part, version, file);
      places.push(...unscopedRules(text).map((escape) => `"${escape}" in ${file}`));
    }
    if (places.length === 0) continue;
    const [reach, it] = places.length === 1 ? ['reaches', 'it'] : ['reach', 'each'];
    violations.push({
      rule: 'scoped-styles',
      part,
      message: `${part} ${version} has ${summarizeList(places)}, which ${reach} beyond its own elements. Put ${it} under a class of a CSS Module.`,
    });
  }
  return violations;
};

/** Rules of a stylesheet that can match elements of other parts. */
export function unscopedRules(css: string): readonly string[] {
  const found: string[] = [];
  const root = postcss.parse(css);
  root.walkAtRules((rule) => {
    if (globalAtRules.test(rule.name)) found.push(`@${rule.name} ${rule.params}`.trim());
    else if (isKeyframes(rule) && !isModuleClass(rule.params)) found.push(`@${rule.name} ${rule.params}`);
  });
  root.walkRules((rule) => {
    if (isFrame(rule)) return;
    parseSelectors((selectors) => {
      selectors.each((selector) => {
        if (!isScoped(selector) && !isNestedIn(rule)) found.push(String(selector).trim());
      });
    }).processSync(rule.selector);
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
