import { partNames } from '@countersign/contracts/remotes';
import { copyReleasedSite, expect, restamp, test } from '../site/site-test.ts';
import { builtFolder, releaseCommand, removeDirectory, run } from '../site/running-site.ts';

/** The walk through the README promotes another version of mf-pricing. */
const checked = partNames.filter((part) => part !== 'mf-pricing');

test('promote: the check lets another version of each part pass, one after the other', async () => {
  // Each check opens the page in a browser, as several visitors.
  test.setTimeout(900_000);
  const directory = await copyReleasedSite(test.info().project.outputDir);
  const release = (...words: readonly string[]) =>
    run(process.execPath, [releaseCommand, ...words], { variables: { DATA_DIR: directory } });
  for (const part of checked) {
    await test.step(part, async () => {
      await release('publish', part, await restamp(builtFolder(part), directory, '100.0.0'));
      expect(await release('promote', part, '100.0.0')).toMatch(`${part} 100.0.0 is live in release r-`);
    });
  }
  await removeDirectory(directory);
});
