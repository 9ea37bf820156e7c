import { randomInt } from 'node:crypto';
import { describe, test } from 'node:test';
import { databaseKinds } from '../testing/test-databases.ts';
import { surviveKills } from './survive-kills.ts';

// Both at once: most of the time goes into starting the service.
describe('whoever was thanked', { concurrency: true }, () => {
  for (const kind of databaseKinds) {
    test(`finds the lead on ${kind.name}, once, however often the service was killed`, async (t) => {
      await using database = await kind.create();
      t.diagnostic(await surviveKills(database, randomInt(2 ** 32)));
    });
  }
});
