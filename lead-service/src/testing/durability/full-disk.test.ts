import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awayDatabase } from '../testing/away-database.ts';
import { createMemoryLog } from '../testing/memory-log.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { startService } from '../testing/service-process.ts';
import { connect } from '../store/database.ts';
import { accessDatabase } from '../store/dialects.ts';
import { createSmallDisk, type SmallDisk } from './small-disk.ts';

for (const { where, environment, file, thanks } of [
  { where: 'SQLite', environment: {}, file: 'leads.sqlite', thanks: 201 },
  { where: 'the spool', environment: awayDatabase, file: 'spool.sqlite', thanks: 202 },
]) {
  test(`a full disk under ${where} refuses leads with 503, loses none, and needs nobody once there is room`, async (t) => {
    using disk = createSmallDisk();
    await using service = startService({ ...environment, DATA_DIR: disk.directory, DELIVERY: 'off' });
    const url = await service.url();
    const pid = service.child.pid ?? assert.fail('no process');
    const thanked: string[] = [];
    async function send(message: string): Promise<number> {
      const answer = await fetch(`${url}/api/contact`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...sampleLead, message }),
      });
      await answer.text();
      if (answer.ok) thanked.push(message);
      return answer.status;
    }

    assert.equal(await send('Sent before the disk was full.'), thanks);
    disk.fill(pid);
    // What is left of the write-ahead log takes a few more.
    let status = 0;
    for (let number = 0; status !== 503; number += 1) {
      status = await send(`Sent to a full disk: ${number} ${'word '.repeat(1000)}`);
      assert.ok(status === thanks || status === 503, `answered with ${status}`);
    }
    assert.equal(await send('Sent to a full disk.'), 503);
    assert.equal((await fetch(`${url}/readyz`)).status, 503, 'which is no secret');
    disk.makeRoom(pid);
    assert.equal(await send('Sent after there was room again.'), thanks);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);

    service.child.kill('SIGKILL');
    await service.exit;
    assert.deepEqual(
      await storedMessages(disk, file),
      thanked.map((message) => message.trim()),
    );
    t.diagnostic(`The disk: ${disk.way}.`);
  });
}

async function storedMessages({ directory }: SmallDisk, file: string): Promise<string[]> {
  const { db, close } = connect(accessDatabase({ kind: 'sqlite', directory, file }, createMemoryLog()));
  const leads = await db.selectFrom('leads').select('message').orderBy('id').execute();
  await close();
  return leads.map(({ message }) => message);
}
