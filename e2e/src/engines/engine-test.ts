import { whySkipped, type EngineName } from '../browser/engine-commands.ts';
import { test as siteTest } from '../site/site-test.ts';
import type { Engine } from './engine.ts';
import { startFirefox } from './firefox.ts';
import { Visit } from './visit.ts';
import { recordSite } from './recorded-site.ts';
import { startWebKitGtk } from './webkitgtk.ts';

export interface EngineOptions {
  readonly engineName: EngineName;
}

interface EngineWorkerFixtures extends EngineOptions {
  readonly engine: Engine;
}

interface EngineFixtures {
  /** Skips the test if its engine is not installed. */
  readonly installed: undefined;
  /** Whether JavaScript is enabled in this test. */
  readonly javaScript: boolean;
  /** A first visit to the site. */
  readonly visit: Visit;
}

/** Tests in an engine that Playwright does not drive, against the real site. */
export const test = siteTest.extend<EngineFixtures, EngineWorkerFixtures>({
  engineName: ['firefox', { scope: 'worker', option: true }],
  engine: [
    async ({ engineName }, use) => {
      const engine = await (engineName === 'firefox' ? startFirefox() : startWebKitGtk());
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
  javaScript: [true, { option: true }],
  visit: async ({ engine, javaScript, site }, use) => {
    const recordedSite = await recordSite(site.url);
    const visitor = await engine.newVisitor(javaScript);
    await use(new Visit(visitor, recordedSite, engine.knownErrors));
    await visitor.close();
    await recordedSite.close();
  },
});

export { expect } from '@playwright/test';
