import { test as siteTest } from '../site/site-test.ts';
import type { Engine, Visitor } from './engine.ts';
import { whySkipped, type EngineName } from './find-command.ts';
import { startChromium, startFirefox } from './puppeteer.ts';
import { watchSite, type WatchedSite } from './watched-site.ts';
import { startWebKitGtk } from './webkitgtk.ts';

const starters: Readonly<Record<EngineName, () => Promise<Engine>>> = {
  chromium: startChromium,
  firefox: startFirefox,
  webkitgtk: startWebKitGtk,
};

export interface EngineOptions {
  readonly engineName: EngineName;
}

interface EngineWorkerFixtures extends EngineOptions {
  readonly engine: Engine;
}

interface EngineFixtures {
  /** Skips the test if its engine is not installed. */
  readonly installed: undefined;
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
  installed: [
    async ({ engineName }, use, testInfo) => {
      const reason = whySkipped(engineName);
      testInfo.skip(reason !== undefined, reason ?? '');
      await use(undefined);
    },
    { auto: true },
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
