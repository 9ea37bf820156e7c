import assert from 'node:assert/strict';
import { test } from 'node:test';
// eslint-disable-next-line @typescript-eslint/no-restricted-imports -- Paces a visitor, so that the releases get the processor.
import { setTimeout as pause } from 'node:timers/promises';
import { remoteNames } from '@countersign/contracts/remotes';
import { withoutBrowser } from '../testing/config.ts';
import { runRelease } from '../testing/run-release.ts';
import { storeKinds } from '../testing/temporary-store.ts';

/** Two versions of each of four remotes. */
const releases = remoteNames.flatMap((part) =>
  Array.from({ length: 2 }, (_, index) => ({ part, version: `1.0.${index}` })),
);

for (const [kind, createStore] of Object.entries(storeKinds)) {
  test(`deploy: eight concurrent releases into a ${kind} are all recorded; served pages were live`, async () => {
    await using site = await createStore();
    const { objects, store } = site;
    // Its inspection of the page afterwards is not the subject.
    const environment = { ...site.environment, ...withoutBrowser };
    // Each version is live once, so that the releases can go back to it.
    const earlier = ['1.0.0', '1.0.1', '0.1.0'];
    for (const version of earlier)
      await site.release({
        shell: '1.0.0',
        ...Object.fromEntries(remoteNames.map((part) => [part, version])),
      });

    let running = true;
    const seen = new Map<string, string>();
    const visiting = (async () => {
      while (running) {
        for (const name of ['index.html', '404.html']) {
          const { releaseId, html } = await site.currentPage(name);
          seen.set(`${releaseId}/${name}`, html);
        }
        await pause(5);
      }
    })();
    const outcomes = await Promise.all(
      // `rollback` skips the check, which the parts of this test would not pass.
      releases.map(({ part, version }) => runRelease(['rollback', part, version], environment)),
    );
    running = false;
    await visiting;

    for (const { code, stderr } of outcomes) assert.equal(code, 0, stderr);
    const history = await site.history();
    assert.deepEqual(
      history.map(({ sequence }) => sequence),
      history.map((_, index) => index + 1),
    );
    assert.deepEqual(
      history
        .slice(earlier.length)
        .map(({ parts, to }) => `${parts.join()} ${to}`)
        .sort(),
      releases.map(({ part, version }) => `${part} ${version}`).sort(),
    );
    const liveState = await store.liveStore.read();
    assert.equal((await site.currentPage('index.html')).releaseId, liveState?.release.releaseId);
    for (const [page, html] of seen) {
      const stored = await objects.read(`pages/${page}`);
      assert.equal(stored && new TextDecoder().decode(stored.bytes), html, page);
    }
    const states = new Set(history.map(({ releaseId }) => releaseId));
    assert.deepEqual(
      [...seen.keys()].filter((page) => !states.has(page.slice(0, page.indexOf('/')))),
      [],
    );
    assert.deepEqual(await site.verify(), []);
  });
}
