import { isModuleClass } from '@countersign/contracts/module-class';
import postcss, { type AtRule, type Rule as StyleRule } from 'postcss';
import parseSelectors, { type Selector } from 'postcss-selector-parser';
import { changedVersions } from './changed-versions.ts';
import { namePlaces, type Finding, type Rule } from './finding.ts';

/** At-rules that reach beyond the elements of a part. */
const reachesFar = /^(import|font-face|property|namespace|page|counter-style)$/;

/** The styles of a remote must not touch what belongs to others. The shell's are the page's own. */
export const scopedStyles: Rule = async (candidate) => {
  const findings: Finding[] = [];
  for (const { part, version } of changedVersions(candidate)) {
    if (part === 'shell') continue;
    const files = Object.keys((await candidate.store.hashesOf(part, version)) ?? {});
    const places: string[] = [];
    for (const file of files.filter((name) => name.endsWith('.css'))) {
      const text = await candidate.store.readFile(part, version, file);
      places.push(...escapes(text).map((escape) => `"${escape}" in ${file}`));
    }
    if (places.length === 0) continue;
    const [reach, it] = places.length === 1 ? ['reaches', 'it'] : ['reach', 'each'];
    findings.push({
      rule: 'scoped-styles',
      part,
      sentence: `${part} ${version} has ${namePlaces(places)}, which ${reach} beyond its own elements. Put ${it} under a class of a CSS Module.`,
    });
  }
  return findings;
};

/** What of a style sheet applies to elements that are not the part's own. */
export function escapes(css: string): readonly string[] {
  const found: string[] = [];
  const root = postcss.parse(css);
  root.walkAtRules((rule) => {
    if (reachesFar.test(rule.name)) found.push(`@${rule.name} ${rule.params}`.trim());
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

/** Some compound of it needs a class of the part. In `:has()` or `:not()` it would not bind what is selected. */
function isScoped(selector: Selector): boolean {
  return selector.nodes.some((node) => node.type === 'class' && isModuleClass(node.value));
}

/** A rule inside another one applies within what that one selects. */
function isNestedIn(rule: StyleRule): boolean {
  return rule.parent?.type === 'rule';
}

function isKeyframes(rule: AtRule): boolean {
  return rule.name.endsWith('keyframes');
}

function isFrame(rule: StyleRule): boolean {
  return rule.parent?.type === 'atrule' && isKeyframes(rule.parent as AtRule);
}
