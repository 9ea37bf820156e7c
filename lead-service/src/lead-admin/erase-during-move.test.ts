import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { connect, type Database } from '../database/database.ts';
import { addressHash } from '../platform/address-hash.ts';
import { noopLog } from '../platform/log.ts';
import { moveLeads } from '../lead-store/move-leads.ts';
import { openSpool } from '../lead-store/spool.ts';
import { acceptedLead } from '../testing/store-lead.ts';
import { postgres, type OpenedDatabase } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';
import { pauseAfter } from '../testing/paused-queries.ts';
import { erasePerson } from './erase-person.ts';

const [grace, ada] = ['Grace@Example.com', 'ada@example.com'];
/** The last query of a move on `erasures`. After it, only the locks of its transaction block others. */
const erasuresSeen = 'delete from erasures';
const longAgo = '2020-01-01T00:00:00.000Z';

/** Machines with one database: some move leads from their spools, others erase. */
interface Machines extends AsyncDisposable {
  readonly db: Database['db'];
  /** A machine that accepted a lead of each person, in this order, while the database was down. */
  mover(...emails: readonly string[]): Promise<(db?: Database['db']) => Promise<void>>;
  erase(email: string, db?: Database['db']): Promise<void>;
  /** Resolves once the work is done, or waits for a lock of another machine. */
  underWay(work: Promise<void>): Promise<void>;
  /** Addresses of all leads, the oldest first. Empty for an erased lead. */
  emails(): Promise<string[]>;
}

async function machines(target: OpenedDatabase): Promise<Machines> {
  const { access } = target;
  // With the lock timeout of a command, because the test itself ends the wait.
  const database = connect(access, 'commands');
  const { db } = database;
  const closings = [database.close];
  return {
    db,
    async mover(...emails) {
      const spool = await openSpool(join(target.dataDirectory, String(closings.length)), noopLog);
      closings.push(spool.close);
      for (const email of emails) {
        const message = `Message ${closings.length} of ${email}`;
        await spool.add([acceptedLead(message, message, email)]);
      }
      return async (own = db) => moveLeads(await spool.oldest(10, []), spool, { ...database, db: own });
    },
    async erase(email, own = db) {
      const { dataDirectory } = target;
      await erasePerson({ database: { ...database, db: own }, dataDirectory, actor: 'test' }, email);
    },
    async underWay(work) {
      let isDone = false;
      const end = () => (isDone = true);
      work.then(end, end);
      await until(async () => isDone || (await hasWaiter(db)));
    },
    async emails() {
      const rows = await db.selectFrom('leads').select('email').orderBy('id').execute();
      return rows.map(({ email }) => email);
    },
    async [Symbol.asyncDispose]() {
      for (const end of closings) await end();
    },
  };
}

const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

async function hasWaiter(db: Database['db']): Promise<boolean> {
  return (await waiting.execute(db)).rows.length > 0;
}

// SQLite has one writer at a time.
describe('erasure during a move by another machine, on PostgreSQL', postgres.options, () => {
  for (const [past, erasures] of [
    ['was never erased', []],
    ['was erased before', [{ addressHash: addressHash(grace), erasedAt: longAgo }]],
  ] as const) {
    test(`nothing of the person remains, if the person ${past}`, async () => {
      await using target = await postgres.open();
      await using at = await machines(target);
      for (const erasure of erasures) await at.db.insertInto('erasures').values(erasure).execute();
      const move = await at.mover(grace);
      const paused = pauseAfter(at.db, erasuresSeen);
      const moving = move(paused.db);
      await paused.reached;
      const erasing = at.erase(grace);
      await at.underWay(erasing);
      paused.goOn();
      await Promise.all([moving, erasing]);
      assert.deepEqual(await at.emails(), ['']);
    });
  }

  test('an erasure does not wait for a move that waits for another erasure', async () => {
    await using target = await postgres.open();
    await using at = await machines(target);
    const [first = '', last = ''] = [grace, ada].sort((a, b) => (addressHash(a) < addressHash(b) ? -1 : 1));
    const move = await at.mover(last, first);
    const paused = pauseAfter(at.db, 'insert into erasures');
    const erasing = at.erase(first, paused.db);
    await paused.reached;
    const moving = move();
    await at.underWay(moving);
    await at.erase(last);
    paused.goOn();
    await Promise.all([erasing, moving]);
    assert.deepEqual(await at.emails(), []);
  });
});

test('concurrent moves of the same people erase no lead, on PostgreSQL', postgres.options, async () => {
  await using target = await postgres.open();
  await using at = await machines(target);
  const [moveSome, moveOthers] = [await at.mover(grace, ada), await at.mover(ada, grace)];
  const paused = pauseAfter(at.db, erasuresSeen);
  const moving = moveSome(paused.db);
  await paused.reached;
  const movingToo = moveOthers();
  await at.underWay(movingToo);
  paused.goOn();
  await Promise.all([moving, movingToo]);
  assert.deepEqual(await at.emails(), [grace, ada, ada, grace]);
  assert.deepEqual(await at.db.selectFrom('erasures').selectAll().execute(), []);
});
