import { randomInt } from 'node:crypto';
import { describe, test } from 'node:test';
import { databaseKinds } from '../test-databases.ts';
import { surviveKills } from './survive-kills.ts';

// Concurrent, because the tests mostly wait for the service to start.
describe('kill -9', { concurrency: true }, () => {
  for (const kind of databaseKinds) {
    test(`every acknowledged lead is stored exactly once on ${kind.name}`, kind.options, async (t) => {
      await using database = await kind.create();
      t.diagnostic(await surviveKills(database, randomInt(2 ** 32)));
    });
  }
});
