import { once } from 'node:events';
import type { PartName } from '@countersign/contracts/remotes';
import { releaseBroken, releaseCommand, startProgram, waitForLine } from '../site/running-site.ts';
import { expect, type ReleasedSite } from './release-test.ts';

/**
 * Makes a broken version a canary for half of the visitors, and watches it while visitors open the page, two at a time. Expects that
 * the watch rolls it back, because it failed in all of its views and the stable version in none.
 */
export async function watchUntilRolledBack(
  { release, variables }: ReleasedSite,
  part: PartName,
  version: string,
  visit: () => Promise<unknown>,
): Promise<void> {
  await release.run(...releaseBroken('canary', part, version, '--percent', '50'));
  const words = ['watch', part, '--interval', '1', '--views', '1000', '--promote'];
  const watch = startProgram([releaseCommand, ...words], { variables });
  try {
    const lines: string[] = [];
    const closed = once(watch, 'close');
    await waitForLine(watch, /^canary: by the last 7 days of /, lines);
    while (watch.exitCode === null) await Promise.all([visit(), visit()]);
    await closed;
    const name = `${part} ${version.replaceAll('.', '\\.')}`;
    expect(lines.at(-1)).toMatch(
      new RegExp(`^${name} was rolled back: (\\d+) of \\1 views failed, 0 of \\d+ of`),
    );
  } finally {
    watch.kill();
  }
}
