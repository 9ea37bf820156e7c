import { isModuleClass } from '@countersign/contracts/fragment';
import postcss, { type Container } from 'postcss';
import parseSelectors from 'postcss-selector-parser';
import { summarizeList } from '../../platform/summarize-list.ts';
import type { VersionRule } from './version-rule.ts';

/** A remote's styles must affect its own elements only. The shell's styles may be global. */
export const scopedStyles: VersionRule = async ({ store, manifest: { name, version }, hashes }) => {
  if (name === 'shell') return [];
  const files = Object.keys(hashes).filter((file) => file.endsWith('.css'));
  const places: string[] = [];
  for (const file of files) {
    const rules = unscopedRules(postcss.parse(await store.readFile(name, version, file)));
    places.push(...rules.map((rule) => `"${rule}" in ${file}`));
  }
  if (places.length === 0) return [];
  return [
    `has styles that reach beyond its own elements: ${summarizeList([...new Set(places)])}. Put them under a class of a CSS Module.`,
  ];
};

/** At-rules that affect nothing but the rules inside, and the encoding. All others may affect the whole page. */
const localAtRules = /^(charset|container|media|starting-style|supports)$/i;

/**
 * Rules that can match elements of other parts.
 *
 * @param parents selectors of the rule in which the container is nested
 */
export function unscopedRules(container: Container, parents: readonly string[] = []): string[] {
  return (container.nodes ?? []).flatMap((node) => {
    if (node.type === 'rule') {
      const selectors = node.selectors.flatMap((selector) => unnested(selector, parents));
      return [...selectors.filter((selector) => !isScoped(selector)), ...unscopedRules(node, selectors)];
    }
    if (node.type !== 'atrule' || (/keyframes$/i.test(node.name) && isModuleClass(node.params))) return [];
    return localAtRules.test(node.name)
      ? unscopedRules(node, parents)
      : [`@${node.name} ${node.params}`.trim()];
  });
}

/** The selectors that a nested one stands for. Without `&`, it selects descendants or, after a combinator, what that says. */
function unnested(selector: string, parents: readonly string[]): readonly string[] {
  if (parents.length === 0) return [selector];
  const whole = selector.includes('&') ? selector : `& ${selector}`;
  return parents.map((parent) => whole.replaceAll('&', () => parent));
}

/**
 * Whether a selector matches elements of the part only: its subject has a class of the part, or is inside of an element with one.
 * Arguments such as those of `:has()` do not scope it, and neither do siblings, which others may own.
 */
function isScoped(selector: string): boolean {
  const { nodes } = parseSelectors().astSync(selector).first;
  return nodes.some((node, index) => {
    if (node.type !== 'class' || !isModuleClass(node.value)) return false;
    const combinator = nodes.slice(index).find(({ type }) => type === 'combinator');
    return combinator?.value !== '+' && combinator?.value !== '~';
  });
}
