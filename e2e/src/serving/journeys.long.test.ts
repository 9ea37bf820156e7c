import { expect, test } from '../site/site-test.ts';
import { releaseCommand, run } from '../site/running-site.ts';

test('journeys: every part keeps its promises on the page that npm start serves', async ({ site }) => {
  test.slow();
  // Other tests use the same site.
  const before = site.leads();
  const printed = await run(process.execPath, [releaseCommand, 'probe', site.url]);
  expect(printed).toMatch(/^\d\d journeys followed, 0 broken\n$/);
  // No lead of a journey reaches the service.
  expect(site.leads()).toEqual(before);
});
