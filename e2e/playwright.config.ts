import { defineConfig, devices } from '@playwright/test';
import { browserArguments } from '@countersign/browser/browser-arguments';
import { config } from './src/config.ts';
import type { EngineOptions } from './src/engines/engine-test.ts';
import { findBrowser } from '@countersign/browser/find-browser';

const executablePath = findBrowser(config);

/** What a visitor sees of the page, on a desktop and on a phone. The rest of `src` tests how it is built and served. */
const pageTests = 'page/**/*.test.ts';

/**
 * Of these, what does not depend on the size of the window, beside single tests that say so (`anyWindow`). How it looks at
 * each size is tested by the others.
 */
const sizelessTests = [
  'page/keyboard-forms.test.ts',
  'page/lead-form-*.test.ts',
  'page/notices-in-dialog.test.ts',
  'page/sharing.long.test.ts',
  'page/watch-demo.test.ts',
];

/** What differs most on a phone. The other tests of the page run there with the long tests. */
const quickPhoneTests = [
  'page/keyboard-navigation.test.ts',
  'page/layout.test.ts',
  'page/navigation.test.ts',
  'page/sections.test.ts',
];

/** What other engines make of the page. Playwright does not drive them: each project starts its own. */
const engineTests = 'engines/**/*.long.test.ts';

/** Of these, the one journey that every engine has to pass. The others test in Chromium what is in the other projects. */
const journeyTest = 'engines/journey.long.test.ts';

/** What `npm run test:all` runs beside `npm test`, because it takes long. */
const longTests = '**/*.long.test.ts';
const longPageTests = 'page/**/*.long.test.ts';

const desktop = { viewport: { width: 1280, height: 800 } } as const;
const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
} as const;

/** A trace takes a third of a visit's time, and there are many visits. `--trace on` gives one for a failure. */
const quickly = { trace: 'off', screenshot: 'only-on-failure' } as const;

export default defineConfig<object, EngineOptions>({
  testDir: 'src',
  testMatch: '**/*.test.ts',
  outputDir: 'test-results',
  forbidOnly: config.continuousIntegration,
  fullyParallel: false,
  workers: 3,
  // A busy build machine may starve a browser; what passes only the second time is reported as flaky.
  retries: config.continuousIntegration ? 1 : 0,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  reportSlowTests: { max: 10, threshold: 15_000 },
  use: {
    ...devices['Desktop Chrome'],
    trace: 'on-first-retry',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: browserArguments,
    },
  },
  projects: [
    { name: 'site', testIgnore: [pageTests, longTests] },
    { name: 'desktop', testMatch: pageTests, testIgnore: longTests, use: { ...quickly, ...desktop } },
    {
      name: 'phone',
      testMatch: quickPhoneTests,
      grepInvert: /@any-window/,
      use: { ...quickly, ...phone },
    },
    { name: 'long', testMatch: longTests, testIgnore: [engineTests, pageTests] },
    { name: 'long-desktop', testMatch: longPageTests, use: { ...quickly, ...desktop } },
    {
      name: 'long-phone',
      testMatch: pageTests,
      testIgnore: [...sizelessTests, ...quickPhoneTests],
      grepInvert: /@any-window/,
      use: { ...quickly, ...phone },
    },
    { name: 'chromium', testMatch: journeyTest, use: { ...quickly, engineName: 'chromium' } },
    { name: 'firefox', testMatch: engineTests, use: { ...quickly, engineName: 'firefox' } },
    { name: 'webkitgtk', testMatch: engineTests, use: { ...quickly, engineName: 'webkitgtk' } },
  ],
});
