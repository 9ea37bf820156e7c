import * as z from 'zod/mini';

/** Percentages of visitors. Each is assessed by visitors' reports before the next. */
const stages = [5, 25, 100];

/** What `release status --json` prints: the fields that are read here. */
const status = z.object({
  release: z.object({
    shell: z.object({ version: z.string() }),
    remotes: z.record(z.string(), z.object({ live: z.object({ version: z.string() }) })),
  }),
});

/** The live version of a part; `undefined` if there is none. */
export function liveVersionIn(printed: unknown, part: string): string | undefined {
  const { shell, remotes } = status.parse(printed).release;
  return part === 'shell' ? shell.version : remotes[part]?.live.version;
}

/**
 * Release commands that make a published version live. A remote that is live already gets a canary, which `watch` raises or
 * rolls back. The shell has no canary.
 *
 * @param live version that is live now
 */
export function releaseSteps(
  part: string,
  version: string,
  live: string | undefined,
): readonly (readonly string[])[] {
  if (live === version) return [];
  if (part === 'shell' || live === undefined) return [['promote', part, version]];
  const [first = 100] = stages;
  return [
    ['canary', part, version, '--percent', String(first)],
    ['watch', part, '--stages', stages.join(',')],
  ];
}
