import assert from 'node:assert/strict';
import { afterEach, describe, mock, test } from 'node:test';
import { hostService, type HostedService } from '../testing/hosted-service.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { storeLead } from '../testing/store-lead.ts';
import { databaseKinds, postgres } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';

const minute = 60_000;
const hour = 60 * minute;
const month = 30 * 24 * hour;

/** Runs the action with this process's clock ahead, then resets the clock. */
async function whileAhead<Result>(milliseconds: number, action: () => Promise<Result>): Promise<Result> {
  mock.timers.enable({ apis: ['Date'], now: Date.now() + milliseconds });
  try {
    return await action();
  } finally {
    mock.timers.reset();
  }
}

async function send(app: HostedService, headers: Record<string, string> = {}, body = {}): Promise<Response> {
  return app.post('/api/contact', { ...sampleLead, ...body }, headers);
}

afterEach(() => mock.timers.reset());

for (const kind of databaseKinds) {
  describe(`a clock that was ahead, on ${kind.name}`, kind.options, () => {
    test('on another machine shows in readiness and metrics', async () => {
      await using database = await kind.open();
      await whileAhead(month, () => storeLead(database));
      await using service = await hostService(database);
      const answer = await fetch(`${service.url}/readyz`);
      assert.equal(answer.status, 200);
      const { status, reasons } = (await answer.json()) as { status: string; reasons: string[] };
      assert.equal(status, 'degraded');
      assert.match(reasons.join('\n'), /planned by a clock that is ahead of this one. Compare the clocks/);
      const ahead = /^clock_ahead_seconds (\d+)/m.exec(await service.metrics())?.[1];
      assert.ok(Number(ahead) > (month - hour) / 1_000);
    });
  });
}

describe('a clock that was ahead, with shared rate limits,', postgres.options, () => {
  test('refuses no sender for longer than the rate-limit window', async () => {
    await using app = await hostService(postgres, { LEADS_PER_ADDRESS: '1', LEADS_PER_NETWORK: '0' });
    const statusOf = async (message: string) => (await send(app, {}, { message })).status;
    await whileAhead(month, async () => {
      assert.equal(await statusOf('The first message of all.'), 201);
      assert.equal(await statusOf('The second message of all.'), 429);
    });
    assert.equal(await statusOf('The third message of all.'), 201);
    const next = await send(app, {}, { message: 'The fourth message of all.' });
    assert.equal(next.status, 429);
    assert.match(next.headers.get('retry-after') ?? '', /^(59\d|600)$/);
  });

  test('does not stop instances from sharing limits', async () => {
    await using app = await hostService(postgres);
    await whileAhead(month, async () => {
      await app.database.execute('alter table rate_limits rename to moved');
      await send(app, {}, { message: 'Counted in memory alone.' });
      await app.database.execute('alter table moved rename to rate_limits');
    });
    const { db } = app.database;
    const counted = await until(
      async () => {
        await app.post('/api/contact', {});
        return db.selectFrom('rateLimits').selectAll().execute();
      },
      (rows) => rows.length > 0,
    );
    assert.deepEqual(
      counted.filter(({ expire }) => Number(expire) > Date.now() + month),
      [],
    );
  });
});
