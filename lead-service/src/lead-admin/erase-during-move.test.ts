import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { addressHash } from '../address-hash.ts';
import { silentLog } from '../sales/silent-log.ts';
import { connect, type Database } from '../store/database.ts';
import { moveLeads } from '../store/move-leads.ts';
import { openSpool } from '../store/spool.ts';
import { acceptedLead } from '../testing/accepted-lead.ts';
import { openTestDatabase } from '../testing/desk-database.ts';
import { pauseAfter } from '../testing/paused-queries.ts';
import { databaseKinds, type TestDatabase } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';
import { erasePerson } from './erase-person.ts';

const [grace, ada] = ['Grace@Example.com', 'ada@example.com'];
/** The last query of a move about who was erased: from then on, nothing but its transaction keeps others waiting. */
const erasuresSeen = 'delete from erasures';
const longAgo = '2020-01-01T00:00:00.000Z';

/** Machines with one database: some move what is in their spools, others erase. */
interface Machines extends AsyncDisposable {
  readonly db: Database['db'];
  /** A machine that has taken in a lead of each person, in this order, while the database was away. */
  mover(...emails: readonly string[]): Promise<(db?: Database['db']) => Promise<void>>;
  erase(email: string, db?: Database['db']): Promise<void>;
  /** Resolves once it is done, or waits for what another one has locked. */
  underWay(work: Promise<void>): Promise<void>;
  /** Of whom there are leads, the oldest first. Nobody: the lead is an erased one. */
  emails(): Promise<string[]>;
}

async function machines(target: TestDatabase): Promise<Machines> {
  const { access, close } = await openTestDatabase(target);
  await close();
  // As patient as a command is: the waiting that is looked at ends by what the test does.
  const database = connect(access, 'commands');
  const { db } = database;
  const closings = [database.close];
  return {
    db,
    async mover(...emails) {
      const spool = await openSpool(join(target.dataDirectory, String(closings.length)), silentLog);
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
      await until(async () => isDone || (await someoneWaits(db)));
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

async function someoneWaits(db: Database['db']): Promise<boolean> {
  return (await waiting.execute(db)).rows.length > 0;
}

// SQLite has one writer at a time.
for (const kind of databaseKinds.filter(({ name }) => name === 'PostgreSQL')) {
  describe(`erasing a person whose lead another machine is moving just now, on ${kind.name}`, () => {
    for (const [past, erasures] of [
      ['was never erased', []],
      ['was erased before', [{ addressHash: addressHash(grace), erasedAt: longAgo }]],
    ] as const) {
      test(`leaves nothing of them, if the person ${past}`, async () => {
        await using target = await kind.create();
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

    test('does not wait for a move that waits for another erasure', async () => {
      await using target = await kind.create();
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

  test(`two machines move leads of the same people at once, and nobody is erased by it, on ${kind.name}`, async () => {
    await using target = await kind.create();
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
}
