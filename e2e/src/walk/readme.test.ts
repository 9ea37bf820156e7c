import { test } from './walk.ts';

test('README: each command does what it shows, in a copy of the project', async ({ reader }) => {
  test.setTimeout(600_000);
  await reader.follow('README.md');
});
