import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aborted, stopSignal } from './stop-signal.ts';

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`stop signal: ${name} aborts it, even if repeated`, async () => {
    const stopping = stopSignal();
    assert.equal(stopping.aborted, false);
    process.kill(process.pid, name);
    await aborted(stopping);
    process.kill(process.pid, name);
    assert.equal(stopping.aborted, true);
    assert.equal(await aborted(stopping), 'aborted');
  });
}
