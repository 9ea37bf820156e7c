import assert from 'node:assert/strict';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { startStubService } from '../testing/stub-service.ts';
import { createLiveSite } from '../testing/temporary-store.ts';
import { announceChanges, announceNew } from './announce-changes.ts';

const part = 'mf-pricing';
const secret = `whsec_${'c2Vj'.repeat(8)}`;

test('announced changes: signed, in order, at least once from the cursor on, unless refused', async () => {
  await using site = await createLiveSite({ shell: '1.0.0', [part]: '1.0.0' });
  const received: { readonly type: string; readonly text: string; readonly data: { parts: string[] } }[] = [];
  let status = 500;
  await using receiver = await startStubService(async (request, response) => {
    const body = await text(request);
    const announced = new Webhook(secret).verify(body, request.headers as Record<string, string>);
    received.push(announced as (typeof received)[number]);
    response.writeHead(status).end();
  });
  const cursorFile = join(site.root, 'announced');
  const warnings: string[] = [];
  const warn = (warning: string) => void warnings.push(warning);
  const board = 'https://release.example';
  const announcer = { store: site.store, url: receiver.origin, secret, cursorFile, board, warn };
  const announce = () => announceNew(announcer, new AbortController().signal);
  await assert.rejects(announce(), /the answer is 500/);
  status = 204;
  await site.release({ 'mf-leads': '0.9.0' });
  await announce();
  assert.deepEqual(
    received.splice(0).map(({ data }) => data.parts.join()),
    ['shell,mf-pricing', 'shell,mf-pricing', 'mf-leads'],
  );

  await site.release({ [part]: '1.1.0' });
  await site.change({ kind: 'rollback', versions: { [part]: undefined } });
  await site.release({ [part]: '1.2.0', 'mf-leads': '1.0.0' });
  status = 500;
  await assert.rejects(announce(), /the answer is 500/);
  status = 204;
  await announce();
  await announce();
  const by = ', by a test (https://release.example)';
  assert.deepEqual(
    received.map(({ type, text: shown, data }) => [type, data.parts.join(), shown]),
    [
      ['release.promote', part, `promote mf-pricing 1.0.0 → 1.1.0${by}`],
      ['release.promote', part, `promote mf-pricing 1.0.0 → 1.1.0${by}`],
      ['release.rollback', part, `rollback mf-pricing 1.1.0 → 1.0.0${by}`],
      [
        'release.promote',
        'mf-pricing,mf-leads',
        `promote mf-pricing 1.0.0, mf-leads 0.9.0 → mf-pricing 1.2.0, mf-leads 1.0.0${by}`,
      ],
    ],
  );

  received.splice(0);
  await site.release({ [part]: '1.3.0' });
  status = 400;
  await announce();
  status = 204;
  await site.release({ [part]: '1.4.0' });
  await announce();
  assert.deepEqual(warnings, ['RELEASE_WEBHOOK_URL never gets entry 6 of the history: the answer is 400.']);
  assert.deepEqual(
    received.map(({ text: shown }) => shown),
    [`promote mf-pricing 1.2.0 → 1.3.0${by}`, `promote mf-pricing 1.3.0 → 1.4.0${by}`],
  );
});

test('announced changes: a stop during a request is no failure of the receiver', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  const stopping = new AbortController();
  await using receiver = await startStubService(() => stopping.abort());
  const cursorFile = join(site.root, 'announced');
  const named = { store: site.store, url: receiver.origin, secret, cursorFile, board: '' };
  await announceChanges({ ...named, warn: assert.fail }, stopping.signal);
});
