import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { openForm } from '../testing/form-token.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { serveDatabase } from '../testing/served-app.ts';
import { newestVerdict } from '../testing/stored-leads.ts';
import { createSqlite } from '../testing/test-databases.ts';

const second = 1_000;
const day = 24 * 60 * 60 * second;

describe('a form token', () => {
  beforeEach(() => mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-03-02T10:00:00Z') }));
  afterEach(() => mock.timers.reset());

  test('is new for each form and kept in no cache', async () => {
    await using database = await createSqlite();
    await using app = await serveDatabase(database);
    const answer = await fetch(`${app.url}/api/form-token`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    const { token, challenge } = await openForm(app);
    assert.equal(challenge, undefined);
    assert.notEqual(token, (await openForm(app)).token);
  });

  for (const [when, passed, reasons] of [
    ['at once', 0, ['sent within 2 seconds of opening the form']],
    ['after two seconds', 2 * second, []],
    ['in the evening', day / 2, []],
    ['after more than a day', day + second, ['the form was opened more than a day ago']],
  ] as const) {
    test(`says how long a form was open that is sent ${when}`, async () => {
      await using database = await createSqlite();
      await using app = await serveDatabase(database);
      const { token } = await openForm(app);
      mock.timers.tick(passed);

      const answer = await app.post('/api/contact', { ...sampleLead, formToken: token });

      assert.equal(answer.status, 201);
      assert.deepEqual(JSON.parse((await newestVerdict(app)).reasons), reasons);
    });
  }

  test('cannot be made up or changed', async () => {
    await using database = await createSqlite();
    await using app = await serveDatabase(database);
    const { token } = await openForm(app);
    const [time = '', ...rest] = token.split('.');
    const older = [(Number.parseInt(time, 36) - 5 * second).toString(36), ...rest].join('.');
    for (const [index, forged] of [older, `${token}x`, token.slice(0, -1), 'token', '...'].entries()) {
      const message = `Please call me back, for the ${index}th time.`;
      assert.equal((await app.post('/api/demo', { ...sampleLead, message, formToken: forged })).status, 201);
      assert.match((await newestVerdict(app)).reasons, /the form token is not ours/);
    }
  });

  test('need not be there', async () => {
    await using database = await createSqlite();
    await using app = await serveDatabase(database);
    assert.equal((await app.post('/api/contact', sampleLead)).status, 201);
    assert.deepEqual(await newestVerdict(app), { reasons: '["sent without a form token"]', held: false });
  });
});
