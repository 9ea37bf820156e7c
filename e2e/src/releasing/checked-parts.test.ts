import { remoteNames } from '@countersign/contracts/remotes';
import { copyReleasedSite, expect, restamp, test } from '../site/site-test.ts';
import { builtFolder, releaseCommand, removeDirectory, run } from '../site/running-site.ts';

/** The shell alone, then remotes as one change. The walk through the README promotes another version of mf-pricing. */
const changes = [['shell'], remoteNames.filter((name) => name !== 'mf-pricing')] as const;

test('promote: the check lets another version of each part pass', async () => {
  // Each check opens the page in a browser, as several visitors.
  test.setTimeout(900_000);
  const directory = await copyReleasedSite(test.info().project.outputDir);
  const release = (...words: readonly string[]) =>
    run(process.execPath, [releaseCommand, ...words], { variables: { DATA_DIR: directory } });
  for (const parts of changes) {
    await test.step(parts.join(', '), async () => {
      for (const part of parts)
        await release('publish', part, await restamp(builtFolder(part), directory, '100.0.0'));
      const versions = parts.flatMap((part) => [part, '100.0.0']);
      expect(await release('promote', ...versions)).toMatch(/ 100\.0\.0 is live in release r-/);
    });
  }
  await removeDirectory(directory);
});
