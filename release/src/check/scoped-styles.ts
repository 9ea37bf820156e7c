import { unscopedRules } from '../publish/unscoped-rules.ts';
import { newlyReferencedVersions } from '../store/referenced-versions.ts';
import { summarizeList } from '../platform/summarize-list.ts';
import type { Violation, Rule } from './violation.ts';

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
