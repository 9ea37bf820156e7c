import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { errorOf } from './sqlite-failure.ts';
import { openInOwnThread, openInThisThread, type SqliteLine } from './sqlite-line.ts';
import type { SqliteStatement } from './sqlite-session.ts';

const statement = (sql: string, ...parameters: unknown[]): SqliteStatement => ({ sql, parameters });
const createTexts = statement('create table texts (text text not null unique)');
const addText = (text: string) => statement('insert into texts values (?) returning text', text);

interface OpenedLine extends SqliteLine, AsyncDisposable {
  readonly file: string;
}

async function openLine(open: typeof openInOwnThread): Promise<OpenedLine> {
  const directory = mkdtempSync(join(tmpdir(), 'lead-service-'));
  const file = join(directory, 'texts.sqlite');
  const line = await open(file, 1_000);
  await line.run([createTexts]);
  return {
    ...line,
    file,
    async [Symbol.asyncDispose]() {
      await line.close();
      rmSync(directory, { recursive: true });
    },
  };
}

for (const [where, open] of [
  ['in a thread of its own', openInOwnThread],
  ['in the same thread', openInThisThread],
] as const) {
  describe(`SQLite ${where}`, () => {
    test('runs statements together or not at all, and returns the rows of the first', async () => {
      await using line = await openLine(open);
      const done = await line.run([addText('a'), addText('b')]);
      assert.ok(done.kind === 'done');
      assert.deepEqual(done.rows, [{ text: 'a' }]);

      const failed = await line.run([addText('c'), addText('a')]);
      assert.ok(failed.kind === 'failed');
      assert.equal(failed.inTransaction, false);
      const error = errorOf(failed.failure);
      assert.ok(error instanceof Database.SqliteError);
      assert.equal(error.code, 'SQLITE_CONSTRAINT_UNIQUE');
      const all = await line.run([statement('select text from texts order by text')]);
      assert.deepEqual(all.kind === 'done' && all.rows, [{ text: 'a' }, { text: 'b' }]);
    });

    test('says why a file cannot be opened', async () => {
      await assert.rejects(open(join(tmpdir(), 'no such folder', 'texts.sqlite'), 1_000), { code: 'ENOENT' });
    });

    test('lets another connection of the process come and go without losing its locks', async (t) => {
      await using line = await openLine(open);
      if (!existsSync('/proc/locks')) return t.skip('Only Linux shows the locks of a process.');
      const { ino } = statSync(line.file);
      const locks = () => readFileSync('/proc/locks', 'utf8').match(new RegExp(`:${ino} `, 'g'))?.length ?? 0;
      const before = locks();
      assert.ok(before > 0);
      const beside = await openInThisThread(line.file, 1_000);
      assert.equal(locks(), before);
      await beside.close();
      assert.equal(locks(), before);
    });
  });
}

describe('a thread that works on SQLite', () => {
  test('finishes what it was given before it closes, and takes nothing afterwards', async () => {
    await using line = await openLine(openInOwnThread);
    const underWay = [line.run([addText('a')]), line.run([addText('b')])];
    await Promise.all([line.close(), line.close()]);
    assert.deepEqual(
      (await Promise.all(underWay)).map(({ kind }) => kind),
      ['done', 'done'],
    );
    const late = await line.run([addText('c')]);
    assert.equal(late.kind === 'failed' && late.failure.message, 'The database has been closed.');
  });

  test('goes on after a value that cannot be sent to it', async () => {
    await using line = await openLine(openInOwnThread);
    await assert.rejects(line.run([statement('select ?', () => 1)]), { name: 'DataCloneError' });
    assert.equal((await line.run([addText('a')])).kind, 'done');
  });
});
