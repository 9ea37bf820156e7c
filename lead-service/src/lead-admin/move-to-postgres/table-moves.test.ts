import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { snakeCase } from '../../database/group-insert.ts';
import { sqlite } from '../../testing/test-databases.ts';
import { tableMoves } from './table-moves.ts';

test('every table of the schema has a way to PostgreSQL, by its primary key', async () => {
  await using database = await sqlite.open();
  const { rows } = await sql<{ name: string; keys: string }>`
    select name, (select group_concat(name, ' ') from (select name from pragma_table_info(tables.name)
      where pk > 0 order by pk)) as keys
    from sqlite_master as tables
    where type = 'table' and name not like 'kysely_%' and name <> 'migration_readers'`.execute(database.db);
  assert.deepEqual(
    rows.map(({ name, keys }) => [name, keys]).sort(),
    Object.entries(tableMoves)
      .map(([table, { key }]) => [snakeCase(table), key.join(' ')])
      .sort(),
  );
});
