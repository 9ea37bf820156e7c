import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runLeads } from '../testing/service-process.ts';
import { storeLead } from '../testing/store-lead.ts';
import { databaseKinds } from '../testing/test-databases.ts';

for (const kind of databaseKinds) {
  describe(`commands with another schema version on ${kind.name}`, kind.options, () => {
    test('a command leaves an older schema unchanged and prints the remedy', async () => {
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
    });

    test('a command refuses a newer schema and prints the remedy', async () => {
      await using database = await kind.open();
      const { id } = await storeLead(database);
      await database.execute(
        `insert into kysely_migration (name, timestamp) values ('999-future', '2999-01-01T00:00:00.000Z')`,
      );

      const { code, stderr } = await runLeads(database.environment, ['set-status', id, 'won']);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^The schema of \S+ is newer than this command\. Use the command of the version that the service runs\.\n$/,
      );
      assert.equal((await database.leads())[0]?.status, 'new');
    });
  });
}
