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
import { awayDatabase } from '../testing/away-database.ts';
import { storeLead } from '../testing/desk-database.ts';
import { createMemoryLog } from '../testing/memory-log.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { startService } from '../testing/service-process.ts';
import { openDatabase } from '../store/database.ts';

const page = 4096;

const stores = [
  { where: 'SQLite', environment: {}, name: 'leads.sqlite', thanks: 201 },
  { where: 'the spool', environment: awayDatabase, name: 'spool.sqlite', thanks: 202 },
] as const;

/** A folder for a service, with a folder beside it for what a test puts away. */
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

async function send(url: string, message: string): Promise<number> {
  const answer = await fetch(`${url}/api/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': `"${message}"` },
    body: JSON.stringify({ ...sampleLead, message }),
  });
  await answer.text();
  return answer.status;
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

/** Stores leads, and ends as a service does that is stopped. */
async function fill(directory: string, file: string): Promise<void> {
  const database = await openDatabase({ kind: 'sqlite', directory, file }, createMemoryLog());
  for (let number = 0; number < 40; number += 1) await storeLead(database);
  await database.close();
}

/** Ways in which files are taken from a service that has them open. */
const removals: Readonly<Record<string, (folder: Folder) => void>> = {
  'is removed': ({ file }) => rmSync(file),
  'is moved away': ({ file, aside }) => renameSync(file, join(aside, 'moved')),
  'is replaced by a copy of itself'({ file, aside }) {
    copyFileSync(file, join(aside, 'copy'));
    renameSync(join(aside, 'copy'), file);
  },
  'loses its write-ahead log': ({ file }) => rmSync(`${file}-wal`),
  'loses its shared memory': ({ file }) => rmSync(`${file}-shm`),
  'goes with its whole folder'({ directory, aside }) {
    renameSync(directory, join(aside, 'data'));
    cpSync(join(aside, 'data'), directory, { recursive: true });
  },
};

/** Ways in which the content of a file is destroyed that keeps its name. */
const damages: Readonly<Record<string, (folder: Folder) => void>> = {
  'is truncated to nothing': ({ file }) => truncateSync(file, 0),
  'is cut off': ({ file }) => truncateSync(file, 4 * page),
  'is overwritten with an older backup': ({ file, aside }) => copyFileSync(join(aside, 'backup'), file),
  'has damaged pages'({ file }) {
    const content = readFileSync(file);
    writeFileSync(file, content.fill(0xff, page), { flag: 'r+' });
  },
};

for (const { where, environment, name, thanks } of stores) {
  describe(`a service whose file of ${where}`, { concurrency: 2 }, () => {
    for (const [what, take] of Object.entries(removals)) {
      test(`${what} acknowledges no lead, and says what to do`, async () => {
        using folder = makeFolder(name);
        await using service = startService({ ...environment, DATA_DIR: folder.directory, DELIVERY: 'off' });
        const url = await service.url();
        await sendMany(url, thanks, 'Sent before');

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
      test(`${what} acknowledges no lead, and says what to do`, async () => {
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

    test('comes back takes leads again, and has lost none', async () => {
      using folder = makeFolder(name);
      await using service = startService({ ...environment, DATA_DIR: folder.directory, DELIVERY: 'off' });
      const url = await service.url();
      const messages = await sendMany(url, thanks, 'Sent before');
      const away = join(folder.aside, 'data');
      renameSync(folder.directory, away);
      assert.equal(await send(url, 'Sent twice.'), 503);
      renameSync(away, folder.directory);
      assert.ok([200, thanks].includes(await send(url, 'Sent twice.')));
      assert.equal((await readiness(url)).status, 200);

      service.child.kill('SIGKILL');
      await service.exit;
      assert.deepEqual(storedMessages(folder.file), [...messages, 'Sent twice.']);
    });

    test('loses its log loses no lead that was acknowledged, also if it is killed', async () => {
      using folder = makeFolder(name);
      await using service = startService({ ...environment, DATA_DIR: folder.directory, DELIVERY: 'off' });
      const url = await service.url();
      const messages = await sendMany(url, thanks, 'Sent before');
      rmSync(`${folder.file}-wal`);
      assert.equal(await send(url, 'Sent afterwards.'), 503);
      service.child.kill('SIGKILL');
      await service.exit;
      assert.deepEqual(storedMessages(folder.file).slice(0, messages.length), messages);
    });

    test('is hidden by another file system acknowledges no lead', async (t) => {
      using folder = makeFolder(name);
      await using service = startService({ ...environment, DATA_DIR: folder.directory, DELIVERY: 'off' });
      const url = await service.url();
      assert.equal(await send(url, 'Sent before.'), thanks);
      const { status } = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder.directory]);
      if (status !== 0) return t.skip('This user may not mount a file system.');
      try {
        assert.equal(await send(url, 'Sent meanwhile.'), 503);
        assert.equal((await readiness(url)).status, 503);
      } finally {
        spawnSync('umount', [folder.directory]);
      }
      assert.equal(await send(url, 'Sent afterwards.'), thanks);
    });

    test('is made smaller by a vacuum goes on', async () => {
      using folder = makeFolder(name);
      await using service = startService({ ...environment, DATA_DIR: folder.directory, DELIVERY: 'off' });
      const url = await service.url();
      await sendMany(url, thanks, 'Sent before');
      const database = new Database(folder.file);
      database.exec('create table ballast (content blob); insert into ballast values (zeroblob(1000000))');
      database.pragma('wal_checkpoint(truncate)');
      assert.equal(await send(url, 'Sent to a large file.'), thanks);
      database.exec('drop table ballast; vacuum');
      database.pragma('wal_checkpoint(truncate)');
      database.close();
      assert.equal(await send(url, 'Sent to a small file.'), thanks);
      assert.equal((await readiness(url)).status, 200);
    });
  });
}
