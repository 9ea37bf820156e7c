import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { openDatabase } from '../../database/database.ts';
import { createMemoryLog } from '../memory-log.ts';
import { statusOfLead } from '../send-lead.ts';
import { startService, unavailableDatabase } from '../service-process.ts';
import { storeLead } from '../store-lead.ts';

const page = 4096;

const stores = [
  { where: 'SQLite', environment: {}, name: 'leads.sqlite', successStatus: 201 },
  { where: 'the spool', environment: unavailableDatabase, name: 'spool.sqlite', successStatus: 202 },
] as const;

/** A folder for a service, and a second one for files that a test moves away. */
interface Folder extends Disposable {
  readonly directory: string;
  readonly file: string;
  readonly aside: string;
}

function makeFolder(name: string): Folder {
  const root = mkdtempSync(join(tmpdir(), 'lead-service-'));
  const directory = join(root, 'data');
  const aside = join(root, 'aside');
  mkdirSync(aside);
  return {
    directory,
    file: join(directory, name),
    aside,
    [Symbol.dispose]: () => rmSync(root, { recursive: true }),
  };
}

function send(url: string, message: string): Promise<number> {
  return statusOfLead({ url }, { message }, { headers: { 'idempotency-key': `"${message}"` } });
}

async function sendMany(url: string, status: number, message: string): Promise<string[]> {
  const messages = Array.from({ length: 40 }, (_, number) => `${message}, number ${number}.`);
  for (const each of messages) assert.equal(await send(url, each), status);
  return messages;
}

async function readiness(url: string): Promise<{ status: number; reasons: string }> {
  const answer = await fetch(`${url}/readyz`);
  const { reasons } = (await answer.json()) as { readonly reasons: readonly string[] };
  return { status: answer.status, reasons: reasons.join('\n') };
}

function storedMessages(file: string): string[] {
  const database = new Database(file);
  try {
    return database.prepare<[], string>('select message from leads order by id').pluck().all();
  } finally {
    database.close();
  }
}

/** Stores leads and shuts down cleanly. */
async function fill(directory: string, file: string): Promise<void> {
  const database = await openDatabase({ kind: 'sqlite', directory, file }, createMemoryLog());
  for (let number = 0; number < 40; number += 1) await storeLead(database);
  await database.close();
}

/** Ways to remove files that a service has open. */
const removals: Readonly<Record<string, (folder: Folder) => void>> = {
  'is removed': ({ file }) => rmSync(file),
  'is moved away': ({ file, aside }) => renameSync(file, join(aside, 'moved')),
  'is replaced by a copy of itself'({ file, aside }) {
    copyFileSync(file, join(aside, 'copy'));
    renameSync(join(aside, 'copy'), file);
  },
  'loses its write-ahead log': ({ file }) => rmSync(`${file}-wal`),
  'loses its shared memory': ({ file }) => rmSync(`${file}-shm`),
  'is moved with its folder'({ directory, aside }) {
    renameSync(directory, join(aside, 'data'));
    cpSync(join(aside, 'data'), directory, { recursive: true });
  },
};

/** Ways to destroy the content of a file in place. */
const damages: Readonly<Record<string, (folder: Folder) => void>> = {
  'is truncated to zero bytes': ({ file }) => truncateSync(file, 0),
  'is cut off': ({ file }) => truncateSync(file, 4 * page),
  'is overwritten with an older backup': ({ file, aside }) => copyFileSync(join(aside, 'backup'), file),
  'has damaged pages'({ file }) {
    const content = readFileSync(file);
    writeFileSync(file, content.fill(0xff, page), { flag: 'r+' });
  },
};

for (const { where, environment, name, successStatus } of stores) {
  describe(`lost files: ${where}`, { concurrency: 2 }, () => {
    for (const [what, take] of Object.entries(removals)) {
      test(`a file that ${what}: no lead is acknowledged, and the log has the remedy`, async () => {
        using folder = makeFolder(name);
        await using service = startService({ ...environment, DATA_DIR: folder.directory, DELIVERY: 'off' });
        const url = await service.url();
        await sendMany(url, successStatus, 'Sent before');

        take(folder);

        assert.equal(await send(url, 'Sent afterwards.'), 503);
        const { status, reasons } = await readiness(url);
        assert.equal(status, 503);
        const advice = /sqlite\S* was removed or replaced while it was in use.* Put it back, or save/;
        assert.match(reasons, advice);
        assert.match(service.stderr.join('\n'), advice);
        assert.doesNotMatch(reasons, /\/tmp/);
      });
    }

    for (const [what, damage] of Object.entries(damages)) {
      test(`a file that ${what}: no lead is acknowledged, and the log has the remedy`, async () => {
        using folder = makeFolder(name);
        await fill(folder.directory, name);
        copyFileSync(folder.file, join(folder.aside, 'backup'));
        await fill(folder.directory, name);
        await using service = startService({ ...environment, DATA_DIR: folder.directory, DELIVERY: 'off' });
        const url = await service.url();

        damage(folder);

        assert.equal(await send(url, 'Sent afterwards.'), 503);
        assert.equal(await send(url, 'Sent once more.'), 503);
        const { status, reasons } = await readiness(url);
        assert.equal(status, 503);
        const advice = new RegExp(
          `${name} is damaged .* Stop the service, copy its folder, and restore a backup`,
        );
        assert.match(reasons, advice);
        assert.match(service.stderr.join('\n'), advice);
      });
    }

    test('a file that comes back accepts leads again without loss', async () => {
      using folder = makeFolder(name);
      await using service = startService({ ...environment, DATA_DIR: folder.directory, DELIVERY: 'off' });
      const url = await service.url();
      const messages = await sendMany(url, successStatus, 'Sent before');
      const away = join(folder.aside, 'data');
      renameSync(folder.directory, away);
      assert.equal(await send(url, 'Sent twice.'), 503);
      renameSync(away, folder.directory);
      assert.ok([200, successStatus].includes(await send(url, 'Sent twice.')));
      assert.equal((await readiness(url)).status, 200);

      await service.crash();
      assert.deepEqual(storedMessages(folder.file), [...messages, 'Sent twice.']);
    });

    test('a removed write-ahead log loses no acknowledged lead, even after a kill', async () => {
      using folder = makeFolder(name);
      await using service = startService({ ...environment, DATA_DIR: folder.directory, DELIVERY: 'off' });
      const url = await service.url();
      const messages = await sendMany(url, successStatus, 'Sent before');
      rmSync(`${folder.file}-wal`);
      assert.equal(await send(url, 'Sent afterwards.'), 503);
      await service.crash();
      assert.deepEqual(storedMessages(folder.file).slice(0, messages.length), messages);
    });

    test('a file hidden by another mount acknowledges no lead', async (t) => {
      using folder = makeFolder(name);
      await using service = startService({ ...environment, DATA_DIR: folder.directory, DELIVERY: 'off' });
      const url = await service.url();
      assert.equal(await send(url, 'Sent before.'), successStatus);
      const { status } = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder.directory]);
      if (status !== 0) return t.skip('This user may not mount a file system.');
      try {
        assert.equal(await send(url, 'Sent meanwhile.'), 503);
        assert.equal((await readiness(url)).status, 503);
      } finally {
        spawnSync('umount', [folder.directory]);
      }
      assert.equal(await send(url, 'Sent afterwards.'), successStatus);
    });

    test('a file shrunk by a vacuum still accepts leads', async () => {
      using folder = makeFolder(name);
      await using service = startService({ ...environment, DATA_DIR: folder.directory, DELIVERY: 'off' });
      const url = await service.url();
      await sendMany(url, successStatus, 'Sent before');
      const database = new Database(folder.file);
      database.exec('create table ballast (content blob); insert into ballast values (zeroblob(1000000))');
      database.pragma('wal_checkpoint(truncate)');
      assert.equal(await send(url, 'Sent to a large file.'), successStatus);
      database.exec('drop table ballast; vacuum');
      database.pragma('wal_checkpoint(truncate)');
      database.close();
      assert.equal(await send(url, 'Sent to a small file.'), successStatus);
      assert.equal((await readiness(url)).status, 200);
    });
  });
}
