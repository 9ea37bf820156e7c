import { newlyReferencedVersions } from '../store/referenced-versions.ts';
import { summarizeList } from './summarize-list.ts';
import { unscopedRules } from './unscoped-rules.ts';
import type { Rule, Violation } from './violation.ts';

/** A remote's styles must affect its own elements only. The shell's styles may be global. */
export const scopedStyles: Rule = async ({ store, live, next }) => {
  const violations: Violation[] = [];
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
    violations.push({
      rule: 'scoped-styles',
      part,
      message: `${part} ${version} has ${summarizeList(places)}, which ${reach} beyond its own elements. Put ${it} under a class of a CSS Module.`,
    });
  }
  return violations;
};
