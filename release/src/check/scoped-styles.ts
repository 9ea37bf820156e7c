import { isModuleClass } from '@countersign/contracts/check-fragment';
import postcss, { type Container } from 'postcss';
import parseSelectors, { type Selector } from 'postcss-selector-parser';
import { newlyReferencedVersions } from '../store/referenced-versions.ts';
import { summarizeList } from './summarize-list.ts';
import type { Rule } from './violation.ts';

/** A remote's styles must affect its own elements only. The shell's styles may be global. */
export const scopedStyles: Rule = async ({ store, live, next }) => {
  const violations: string[] = [];
  for (const { part, version } of newlyReferencedVersions(live, next)) {
    if (part === 'shell') continue;
    const files = Object.keys((await store.hashesOf(part, version)) ?? {});
    const escapes = files
      .filter((file) => file.endsWith('.css'))
      .map(async (file) =>
        unscopedRules(await store.readFile(part, version, file)).map((escape) => `"${escape}" in ${file}`),
      );
    const places = (await Promise.all(escapes)).flat();
    if (places.length === 0) continue;
    const [reach, it] = places.length === 1 ? ['reaches', 'it'] : ['reach', 'each'];
    violations.push(
      `${part} ${version} has ${summarizeList(places)}, which ${reach} beyond its own elements. Put ${it} under a class of a CSS Module.`,
    );
  }
  return violations;
};

/** At-rules that affect nothing but the rules inside, and the encoding. All others may affect the whole page. */
const localAtRules = /^(charset|container|media|starting-style|supports)$/i;
const keyframes = /^(?:-\w+-)?keyframes$/i;

/** Rules of a stylesheet that can match elements of other parts. Rules that are nested in a rule of the part are taken for correct. */
export function unscopedRules(css: string): readonly string[] {
  const found = new Set<string>();
  const look = (container: Container) => {
    container.each((node) => {
      if (node.type === 'rule') {
        for (const selector of parseSelectors().astSync(node.selector).nodes) {
          if (!isScoped(selector)) found.add(String(selector).trim());
        }
      } else if (node.type === 'atrule') {
        if (localAtRules.test(node.name)) look(node);
        else if (!keyframes.test(node.name) || !isModuleClass(node.params)) {
          found.add(`@${node.name} ${node.params}`.trim());
        }
      }
    });
  };
  look(postcss.parse(css));
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
