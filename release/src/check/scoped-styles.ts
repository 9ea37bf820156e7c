import { moduleNames, unscopedRules } from '../publish/unscoped-rules.ts';
import { referencedVersions } from '@countersign/contracts/release-versions';
import { newlyReferencedVersions } from '../store/referenced-versions.ts';
import { summarizeList } from '../platform/summarize-list.ts';
import type { ReleaseCandidate, Violation, Rule } from './violation.ts';

/** A remote's styles must affect its own elements only. The shell's styles may be global. */
export const scopedStyles: Rule = async (candidate) => {
  const violations: Violation[] = [];
  const stylesheets = await readStylesheets(candidate);
  for (const { part, version } of newlyReferencedVersions(candidate.live, candidate.next)) {
    if (part === 'shell') continue;
    const others = stylesheets.filter((sheet) => sheet.part !== part);
    const foreignNames = new Set(others.flatMap(({ css }) => moduleNames(css)));
    const places = stylesheets
      .filter((sheet) => sheet.part === part && sheet.version === version)
      .flatMap(({ file, css }) => unscopedRules(css, foreignNames).map((escape) => `"${escape}" in ${file}`));
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

/** The stylesheets of all versions that the next release refers to. */
async function readStylesheets({ store, next }: ReleaseCandidate) {
  const sheets = referencedVersions(next).map(async ({ part, version }) => {
    const files = Object.keys((await store.hashesOf(part, version)) ?? {});
    const names = files.filter((name) => name.endsWith('.css'));
    return Promise.all(
      names.map(async (file) => ({ part, version, file, css: await store.readFile(part, version, file) })),
    );
  });
  return (await Promise.all(sheets)).flat();
}
