import * as z from 'zod/mini';

/** Percentages of visitors. Each is assessed by visitors' reports before the next. */
const stages = [5, 25, 100];

/** What `release status --json` prints: the fields that are read here. */
const status = z.object({
  release: z.object({
    shell: z.object({ version: z.string() }),
    remotes: z.record(z.string(), z.object({ live: z.object({ version: z.string() }) })),
  }),
  commits: z.record(z.string(), z.string()),
});

/** The live version of a part and its commit; without a version if there is none. */
export function liveVersionIn(printed: unknown, part: string) {
  const { release, commits } = status.parse(printed);
  const live = part === 'shell' ? release.shell : release.remotes[part]?.live;
  return { ...live, commit: commits[part] };
}

/**
 * Release commands that make a published version live. A part that is live already gets a canary, which `watch` raises or
 * rolls back.
 *
 * @param liveVersion version that is live now
 */
export function releaseSteps(
  part: string,
  version: string,
  liveVersion: string | undefined,
): readonly (readonly string[])[] {
  if (liveVersion === version) return [];
  if (liveVersion === undefined) return [['promote', part, version]];
  const [first = 100] = stages;
  return [
    ['canary', part, version, '--percent', String(first)],
    ['watch', part, '--stages', stages.join(',')],
  ];
}
