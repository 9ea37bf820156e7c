import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect } from '../../database/database.ts';
import { createMemoryLog } from '../memory-log.ts';
import { statusOfLead } from '../send-lead.ts';
import { startService, unavailableDatabase } from '../service-process.ts';
import { createSmallDisk, type SmallDisk } from './small-disk.ts';

for (const { where, environment, file, successStatus } of [
  { where: 'SQLite', environment: {}, file: 'leads.sqlite', successStatus: 201 },
  { where: 'the spool', environment: unavailableDatabase, file: 'spool.sqlite', successStatus: 202 },
]) {
  test(`full disk under ${where}: 503 without lost leads, then recovery without a restart`, async (t) => {
    using disk = createSmallDisk();
    await using service = startService({ ...environment, DATA_DIR: disk.directory, DELIVERY: 'off' });
    const url = await service.url();
    const pid = service.child.pid ?? assert.fail('no process');
    const acknowledged: string[] = [];
    async function send(message: string): Promise<number> {
      const status = await statusOfLead({ url }, { message });
      if (status < 300) acknowledged.push(message);
      return status;
    }

    assert.equal(await send('Sent before the disk was full.'), successStatus);
    disk.fill(pid);
    // The remaining space in the write-ahead log accepts a few more leads.
    let status = 0;
    for (let number = 0; status !== 503; number += 1) {
      status = await send(`Sent to a full disk: ${number} ${'word '.repeat(900)}`);
      assert.ok(status === successStatus || status === 503, `answered with ${status}`);
    }
    assert.equal(await send('Sent to a full disk.'), 503);
    assert.equal((await fetch(`${url}/readyz`)).status, 503, 'which is no secret');
    disk.makeRoom(pid);
    assert.equal(await send('Sent after there was room again.'), successStatus);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);

    await service.crash();
    assert.deepEqual(
      await storedMessages(disk, file),
      acknowledged.map((message) => message.trim()),
    );
    t.diagnostic(`The disk: ${disk.way}.`);
  });
}

async function storedMessages({ directory }: SmallDisk, file: string): Promise<string[]> {
  const { db, close } = connect({ kind: 'sqlite', directory, file }, createMemoryLog());
  const leads = await db.selectFrom('leads').select('message').orderBy('id').execute();
  await close();
  return leads.map(({ message }) => message);
}
