import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { errorOf } from './sqlite-failure.ts';
import { openInOwnThread, openInThisThread, type SqliteConnection } from './sqlite-connection.ts';
import type { SqliteStatement } from './sqlite-session.ts';

const statement = (sql: string, ...parameters: unknown[]): SqliteStatement => ({ sql, parameters });
const createTexts = statement('create table texts (text text not null unique)');
const addText = (text: string) => statement('insert into texts values (?) returning text', text);

interface OpenedConnection extends SqliteConnection, AsyncDisposable {
  readonly file: string;
}

async function openSqliteConnection(open: typeof openInOwnThread): Promise<OpenedConnection> {
  const directory = mkdtempSync(join(tmpdir(), 'lead-service-'));
  const file = join(directory, 'texts.sqlite');
  const connection = await open(file, 1_000);
  await connection.run([createTexts]);
  return {
    ...connection,
    file,
    async [Symbol.asyncDispose]() {
      await connection.close();
      rmSync(directory, { recursive: true });
    },
  };
}

for (const [where, open] of [
  ['in a thread of its own', openInOwnThread],
  ['in the same thread', openInThisThread],
] as const) {
  describe(`SQLite ${where}`, () => {
    test('runs a batch atomically and returns the rows of the first statement', async () => {
      await using connection = await openSqliteConnection(open);
      const done = await connection.run([addText('a'), addText('b')]);
      assert.ok(done.kind === 'done');
      assert.deepEqual(done.rows, [{ text: 'a' }]);

      const failed = await connection.run([addText('c'), addText('a')]);
      assert.ok(failed.kind === 'failed');
      assert.equal(failed.inTransaction, false);
      const error = errorOf(failed.failure);
      assert.ok(error instanceof Database.SqliteError);
      assert.equal(error.code, 'SQLITE_CONSTRAINT_UNIQUE');
      const all = await connection.run([statement('select text from texts order by text')]);
      assert.deepEqual(all.kind === 'done' && all.rows, [{ text: 'a' }, { text: 'b' }]);
    });

    test('reports why a file cannot be opened', async () => {
      await assert.rejects(open(join(tmpdir(), 'no such folder', 'texts.sqlite'), 1_000), { code: 'ENOENT' });
    });

    test('keeps its locks when the process opens and closes another connection', async (t) => {
      await using connection = await openSqliteConnection(open);
      if (!existsSync('/proc/locks')) return t.skip('Only Linux lists the locks of a process.');
      const { ino } = statSync(connection.file);
      const locks = () => readFileSync('/proc/locks', 'utf8').match(new RegExp(`:${ino} `, 'g'))?.length ?? 0;
      const before = locks();
      assert.ok(before > 0);
      const beside = await openInThisThread(connection.file, 1_000);
      assert.equal(locks(), before);
      await beside.close();
      assert.equal(locks(), before);
    });
  });
}

describe('SQLite thread', () => {
  test('finishes queued statements before it closes, and rejects later ones', async () => {
    await using connection = await openSqliteConnection(openInOwnThread);
    const running = [connection.run([addText('a')]), connection.run([addText('b')])];
    await Promise.all([connection.close(), connection.close()]);
    assert.deepEqual(
      (await Promise.all(running)).map(({ kind }) => kind),
      ['done', 'done'],
    );
    const late = await connection.run([addText('c')]);
    assert.equal(late.kind === 'failed' && late.failure.message, 'The database is closed.');
  });

  test('keeps working after a parameter that cannot be cloned', async () => {
    await using connection = await openSqliteConnection(openInOwnThread);
    await assert.rejects(connection.run([statement('select ?', () => 1)]), { name: 'DataCloneError' });
    assert.equal((await connection.run([addText('a')])).kind, 'done');
  });
});
