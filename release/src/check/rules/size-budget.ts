import { documentTemplateFile, type PartManifest } from '@countersign/contracts/part-manifest';
import { budgetKinds, type BudgetKind } from '@countersign/contracts/remotes';
import { summarizeList } from '../../platform/summarize-list.ts';
import type { VersionRule } from './version-rule.ts';
import type { ReleaseStore } from '../../store/release-store.ts';
import { initialChunks } from '../../store/stored-version.ts';

/**
 * Compares the compressed size of a part's initial markup, styles and scripts with the budget that the part declares.
 * Lazy chunks are not counted.
 */
export const sizeBudget: VersionRule = async ({ store, manifest }) => {
  const { name: part, budget } = manifest;
  const statedIn = part === 'shell' ? 'shell/webpack.config.ts' : `${part}/remote.ts`;
  if (!budget) {
    return [
      `states no budget. Add "budget: { markup, style, script }" in kB to ${statedIn}, then build and publish it again.`,
    ];
  }
  const violations: string[] = [];
  for (const kind of budgetKinds) {
    const sizes = await readSizes(store, manifest, filesOf(manifest, kind), '.br');
    const total = totalOf(sizes);
    if (total <= budget[kind]) continue;
    const heaviest = sizes
      .toSorted((one, other) => other.kilobytes - one.kilobytes)
      .map(({ name, kilobytes }) => `${name} (${kilobytes.toFixed(1)} kB)`);
    violations.push(
      `has ${total.toFixed(1)} kB of ${kind}, ${(total - budget[kind]).toFixed(1)} kB more than its budget of ${budget[kind]} kB. Heaviest: ${summarizeList(heaviest)}. Make it lighter, or raise the budget in ${statedIn}.`,
    );
  }
  return violations;
};

interface Size {
  readonly name: string;
  readonly kilobytes: number;
}

/** Files of a version with their sizes as they are sent, compressed if `suffix` says so. */
export function readSizes(
  store: ReleaseStore,
  { name: part, version }: PartManifest,
  files: readonly string[],
  suffix = '',
): Promise<readonly Size[]> {
  return Promise.all(
    [...new Set(files)].map(async (name) => {
      const { length } = await store.readBytes(part, version, `${name}${suffix}`);
      return { name, kilobytes: length / 1000 };
    }),
  );
}

export const totalOf = (sizes: readonly Size[]) => sizes.reduce((sum, { kilobytes }) => sum + kilobytes, 0);

function filesOf(manifest: PartManifest, kind: BudgetKind): string[] {
  const { name, fragments = {} } = manifest;
  if (kind === 'markup') return name === 'shell' ? [documentTemplateFile] : Object.values(fragments);
  return initialChunks(manifest).flatMap(({ scripts, styles }) => (kind === 'script' ? scripts : styles));
}
