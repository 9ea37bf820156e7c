import { promisify } from 'node:util';
import { execFile } from 'node:child_process';
import { expect, test } from '../site/site-test.ts';
import { environmentWith, releaseCommand } from '../site/running-site.ts';

const probe = (...words: readonly string[]) =>
  promisify(execFile)(process.execPath, [releaseCommand, 'probe', ...words], { env: environmentWith({}) });

test('journeys: every part keeps its promises on the page that npm start serves', async ({ site }) => {
  test.slow();
  // Other tests use the same site.
  const before = site.leads();
  const { stdout } = await probe(site.url);
  expect(stdout).toMatch(/^\d\d journeys followed, 0 broken\n$/);
  // No lead of a journey reaches the service.
  expect(site.leads()).toEqual(before);
});
