import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { hostService, newestClassification } from '../testing/hosted-service.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { openForm } from '../testing/send-lead.ts';
import { sqlite } from '../testing/test-databases.ts';

const second = 1_000;
const day = 24 * 60 * 60 * second;

describe('form token', () => {
  beforeEach(() => mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-03-02T10:00:00Z') }));
  afterEach(() => mock.timers.reset());

  test('is unique for each form and not cached', async () => {
    await using app = await hostService(sqlite);
    const answer = await fetch(`${app.url}/api/form-token`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    const { token, challenge } = await openForm(app);
    assert.equal(challenge, undefined);
    assert.notEqual(token, (await openForm(app)).token);
  });

  for (const [when, passed, reasons] of [
    ['immediately', 0, ['sent within 2 seconds of opening the form']],
    ['after two seconds', 2 * second, []],
    ['after half a day', day / 2, []],
    ['after more than a day', day + second, ['the form was opened more than a day ago']],
  ] as const) {
    test(`shows the age of a form that is sent ${when}`, async () => {
      await using app = await hostService(sqlite);
      const { token } = await openForm(app);
      mock.timers.tick(passed);

      const answer = await app.post('/api/contact', { ...sampleLead, formToken: token });

      assert.equal(answer.status, 201);
      assert.deepEqual(JSON.parse((await newestClassification(app)).reasons), reasons);
    });
  }

  test('is rejected if forged or changed', async () => {
    await using app = await hostService(sqlite);
    const { token } = await openForm(app);
    const [time = '', ...rest] = token.split('.');
    const older = [(Number.parseInt(time, 36) - 5 * second).toString(36), ...rest].join('.');
    for (const [index, forged] of [older, `${token}x`, token.slice(0, -1), 'token', '...'].entries()) {
      const message = `Please call me back, for the ${index}th time.`;
      assert.equal((await app.post('/api/demo', { ...sampleLead, message, formToken: forged })).status, 201);
      assert.match((await newestClassification(app)).reasons, /the form token is not ours/);
    }
  });
});
