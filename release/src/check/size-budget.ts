import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChunkFiles } from '@countersign/contracts/part-manifest';
import { partNames } from '@countersign/contracts/remotes';
import * as z from 'zod/mini';
import { readVersion } from '../flip/stored-version.ts';
import { changedVersions } from './changed-versions.ts';
import type { Rule } from './finding.ts';

/** Part → kilobytes (1000 bytes, compressed with brotli) that a visitor may have to fetch to see it. */
const budgets = z.record(z.enum(partNames), z.number());
const budgetsFile = join(import.meta.dirname, '..', '..', 'budgets.json');

/** What a visitor fetches to see a part must fit its budget. What is fetched later, on demand, is not counted. */
export const sizeBudget: Rule = async (candidate) => {
  const allowed = budgets.parse(JSON.parse(await readFile(budgetsFile, 'utf8')));
  const findings = await Promise.all(
    changedVersions(candidate).map(async ({ part, version }) => {
      const { manifest } = await readVersion(candidate.store, part, version);
      const chunks: readonly ChunkFiles[] = [manifest.entry, ...Object.values(manifest.exposes)];
      const files = new Set(chunks.flatMap(({ scripts, styles }) => [...scripts, ...styles]));
      let bytes = 0;
      for (const file of files) {
        bytes += (await candidate.store.readBytes(part, version, `${file}.br`)).length;
      }
      const [weight, budget] = [bytes / 1000, allowed[part]];
      if (weight <= budget) return [];
      return [
        {
          rule: 'size-budget',
          part,
          sentence: `${part} ${version} weighs ${weight.toFixed(1)} kB, ${(weight - budget).toFixed(1)} kB more than its budget of ${budget} kB. Make it lighter, load some of it on demand, or have the budget raised in release/budgets.json.`,
        },
      ];
    }),
  );
  return findings.flat();
};
