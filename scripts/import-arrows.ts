/**
 * Prints which folder of a source tree imports which. Fails if folders import each other, directly or in a circle.
 *
 *     node scripts/import-arrows.ts [--json] <source folder> …
 *
 * A folder is one directly below the source folder, with all that is in it. Each file of the source folder itself counts
 * as a folder. Tests and `testing/` may import anything, so they do not count.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import typescript from 'typescript';

/** Folder → imported folder → number of import statements. */
type Arrows = ReadonlyMap<string, ReadonlyMap<string, number>>;

function folderOf(file: string): string {
  return file.split(path.sep)[0] ?? file;
}

function isCounted(file: string): boolean {
  return /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && folderOf(file) !== 'testing';
}

function readArrows(source: string): Arrows {
  const arrows = new Map<string, Map<string, number>>();
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(isCounted).sort()) {
    const folder = folderOf(file);
    const { importedFiles } = typescript.preProcessFile(readFileSync(path.join(source, file), 'utf8'));
    for (const { fileName } of importedFiles) {
      if (!fileName.startsWith('.')) continue;
      const imported = folderOf(path.join(path.dirname(file), fileName));
      if (imported === folder || imported === '..') continue;
      const targets = arrows.get(folder) ?? new Map<string, number>();
      arrows.set(folder, targets.set(imported, (targets.get(imported) ?? 0) + 1));
    }
  }
  return arrows;
}

/** All folders that a folder imports, directly or through others. */
function reachableFrom(arrows: Arrows, folder: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const visit = (from: string) => {
    for (const to of arrows.get(from)?.keys() ?? []) {
      if (!reached.has(to)) visit((reached.add(to), to));
    }
  };
  visit(folder);
  return reached;
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
if (positionals.length === 0) {
  console.error('Name at least one source folder, for example lead-service/src.');
  process.exit(2);
}
const report = positionals.map((source) => {
  const arrows = readArrows(source);
  const pairs = [...arrows].flatMap(([from, targets]) =>
    [...targets.keys()].filter((to) => from < to && arrows.get(to)?.has(from)).map((to) => `${from} ↔ ${to}`),
  );
  const inCircle = [...arrows.keys()].filter((folder) => reachableFrom(arrows, folder).has(folder));
  return { source, arrows, pairs, inCircle };
});
if (values.json) {
  const printable = report.map(({ arrows, ...rest }) => ({
    ...rest,
    arrows: Object.fromEntries([...arrows].map(([from, targets]) => [from, Object.fromEntries(targets)])),
  }));
  console.log(JSON.stringify(printable, undefined, 2));
} else {
  for (const { source, arrows, pairs, inCircle } of report) {
    const count = [...arrows.values()].reduce((sum, targets) => sum + targets.size, 0);
    console.log(
      `${source}: ${count} arrows, ${pairs.length} pairs in both directions, ${inCircle.length} in a circle`,
    );
    for (const [from, targets] of arrows) {
      console.log(`  ${from} → ${[...targets].map(([to, imports]) => `${to} ${imports}`).join(', ')}`);
    }
    for (const pair of pairs) console.log(`  both directions: ${pair}`);
    if (inCircle.length > 0) console.log(`  in a circle: ${inCircle.join(', ')}`);
  }
}
if (report.some(({ inCircle }) => inCircle.length > 0)) {
  console.error(
    'Folders import each other. Move the shared code into the lower folder, or take it as a parameter.',
  );
  process.exitCode = 1;
}
