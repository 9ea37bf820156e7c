import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runLeads } from '../testing/service-process.ts';
import { databaseKinds } from '../testing/test-databases.ts';

for (const kind of databaseKinds) {
  test(
    `a command leaves an older schema unchanged and prints the remedy, on ${kind.name}`,
    kind.options,
    async () => {
      await using database = await kind.create();
      await database.execute('create table something_else (id text)');

      const refused = await runLeads(database.environment, ['list']);
      assert.equal(refused.code, 1);
      assert.match(
        refused.stderr,
        /^The schema of \S+ is older than this command\. Run the command "migrate" or start the service of this version, then try again\.\n$/,
      );
      await assert.rejects(database.leads());

      assert.equal((await runLeads(database.environment, ['migrate'])).code, 0);
      assert.equal((await runLeads(database.environment, ['list'])).code, 0);
    },
  );
}
