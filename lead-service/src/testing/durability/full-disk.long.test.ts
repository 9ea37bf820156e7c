import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from '../../database/database.ts';
import { createMemoryLog } from '../memory-log.ts';
import { statusOfLead } from '../send-lead.ts';
import { startService, unavailableDatabase } from '../service-process.ts';

/** A file system of 4 MB, or undefined if this user may mount none. */
function createSmallDisk() {
  const directory = mkdtempSync(join(tmpdir(), 'lead-service-disk-'));
  const ballast = join(directory, 'ballast');
  const options = ['-t', 'tmpfs', '-o', 'size=4m,mode=700', 'tmpfs', directory];
  if (spawnSync('mount', options).status !== 0) {
    rmSync(directory, { recursive: true });
    return undefined;
  }
  return {
    directory,
    fill() {
      for (const block of [65_536, 4096, 1]) {
        assert.throws(
          () => {
            for (;;) appendFileSync(ballast, Buffer.alloc(block));
          },
          { code: 'ENOSPC' },
        );
      }
    },
    makeRoom: () => rmSync(ballast),
    [Symbol.dispose]() {
      execFileSync('umount', [directory]);
      rmSync(directory, { recursive: true });
    },
  };
}

for (const { where, environment, file, successStatus } of [
  { where: 'SQLite', environment: {}, file: 'leads.sqlite', successStatus: 201 },
  { where: 'the spool', environment: unavailableDatabase, file: 'spool.sqlite', successStatus: 202 },
]) {
  test(`full disk under ${where}: 503 without lost leads, then recovery without a restart`, async (t) => {
    using disk = createSmallDisk();
    if (disk === undefined) return t.skip('this user may mount no file system');
    const { directory } = disk;
    await using service = startService({ ...environment, DATA_DIR: directory, DELIVERY: 'off' });
    const url = await service.url();
    const acknowledged: string[] = [];
    async function send(message: string): Promise<number> {
      const status = await statusOfLead({ url }, { message });
      if (status < 300) acknowledged.push(message);
      return status;
    }

    assert.equal(await send('Sent before the disk was full.'), successStatus);
    disk.fill();
    // The remaining space in the write-ahead log accepts a few more leads.
    let status = 0;
    for (let number = 0; status !== 503; number += 1) {
      status = await send(`Sent to a full disk: ${number} ${'word '.repeat(900)}`);
      assert.ok(status === successStatus || status === 503, `answered with ${status}`);
    }
    assert.equal(await send('Sent to a full disk.'), 503);
    assert.equal((await fetch(`${url}/readyz`)).status, 503, 'readiness reports it');
    disk.makeRoom();
    assert.equal(await send('Sent after there was room again.'), successStatus);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);

    await service.crash();
    await using database = connect({ kind: 'sqlite', directory, file }, createMemoryLog());
    const leads = await database.db.selectFrom('leads').select('message').orderBy('id').execute();
    const messages = leads.map(({ message }) => message);
    assert.deepEqual(
      messages,
      acknowledged.map((message) => message.trim()),
    );

    // As after a clean stop.
    rmSync(join(directory, 'service.lock-journal'));
    disk.fill();
    await using restarted = startService({ ...environment, DATA_DIR: directory });
    assert.equal((await restarted.exit).code, 1);
    assert.match(restarted.stderr.join('\n'), /\(database or disk is full\)\. Free space on that disk/);
  });
}
