import { test as siteTest } from '../site-test.ts';
import type { Engine, Visitor } from './engine.ts';
import { startFirefox } from './firefox.ts';
import { watchSite, type WatchedSite } from './watched-site.ts';
import { startWebKitGtk } from './webkitgtk.ts';

const starters = { firefox: startFirefox, webkitgtk: startWebKitGtk } as const;

export interface EngineOptions {
  readonly engineName: keyof typeof starters;
}

interface EngineWorkerFixtures extends EngineOptions {
  readonly engine: Engine;
}

interface EngineFixtures {
  readonly watchedSite: WatchedSite;
  /** Whether JavaScript is enabled in this test. */
  readonly javaScript: boolean;
  readonly visitor: Visitor;
}

/** Tests in an engine that Playwright does not drive, against the real site. */
export const test = siteTest.extend<EngineFixtures, EngineWorkerFixtures>({
  engineName: ['firefox', { scope: 'worker', option: true }],
  engine: [
    async ({ engineName }, use) => {
      const engine = await starters[engineName]();
      await use(engine);
      await engine.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  watchedSite: async ({ site }, use) => {
    const watched = await watchSite(site.url);
    await use(watched);
    await watched.close();
  },
  javaScript: [true, { option: true }],
  visitor: async ({ engine, javaScript }, use) => {
    const visitor = await engine.newVisitor({ javaScript });
    await use(visitor);
    await visitor.close();
  },
});

export { expect } from '@playwright/test';
