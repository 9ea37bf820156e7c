import { defineConfig, devices } from '@playwright/test';
import { config } from './src/config.ts';
import { launchOptions } from './src/browser/launch-options.ts';

/** Tests of the page itself, on a desktop and on a phone. The rest of `src` tests how it is built and served. */
const pageTests = 'src/page/**/*.test.ts';

/** Tests that do not depend on the size of the window. In other files, such tests have the tag of `onceOnDesktop`. */
const sizelessTests = [
  // It sets the size of a phone.
  'page/interaction-cost.test.ts',
  'page/lead-form-*.test.ts',
  'page/splash.test.ts',
];

/** Tests whose results differ most on a phone. The other tests of the page run there with the long tests. */
const quickPhoneTests = [
  'page/keyboard-navigation.test.ts',
  'page/layout.test.ts',
  'page/navigation.test.ts',
];

/** Tests of the page in the installed Firefox and WebKitGTK, which Playwright does not drive. */
const engineTests = 'engines/**/*.long.test.ts';

/** Tests that type the commands of documents, a project of its own: a changed document runs no other tests. */
const walkTests = 'walk/*.test.ts';

/** The check of real parts before a release. */
const checkTests = 'releasing/checked-parts.test.ts';

/** Tests that take long, which only `npm run test:all` runs. */
const longTests = '**/*.long.test.ts';

/** Those of them in which parts are checked. They run one after the other, because a check uses all cores. */
const longCheckTests = ['releasing/*.long.test.ts', 'walk/*.long.test.ts'];

const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
} as const;

export default defineConfig({
  testDir: 'src',
  testMatch: '**/*.test.ts',
  // A run empties its folder. Scripts that run in parallel have one of their own below it.
  outputDir: 'test-results',
  forbidOnly: config.continuousIntegration,
  fullyParallel: false,
  workers: 3,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  reportSlowTests: { max: 10, threshold: 15_000 },
  use: {
    ...devices['Desktop Chrome'],
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    // Without snapshots, whose script the policy of some pages blocks.
    trace: { mode: 'retain-on-failure', snapshots: false, screenshots: false },
    launchOptions: launchOptions(),
  },
  projects: [
    { name: 'desktop', testIgnore: [longTests, walkTests, checkTests] },
    { name: 'check', testMatch: checkTests },
    { name: 'walk', testMatch: walkTests, testIgnore: longTests },
    {
      name: 'phone',
      testMatch: quickPhoneTests,
      grepInvert: /@once-on-desktop/,
      use: phone,
    },
    { name: 'long', testMatch: longTests, testIgnore: [engineTests, ...longCheckTests] },
    { name: 'long-check', testMatch: longCheckTests },
    {
      name: 'long-phone',
      testMatch: pageTests,
      testIgnore: [...sizelessTests, ...quickPhoneTests],
      grepInvert: /@once-on-desktop/,
      use: phone,
    },
    // These tests start the engine that has the name of their project, so the names must be those of `EngineName`.
    { name: 'firefox', testMatch: engineTests },
    { name: 'webkitgtk', testMatch: engineTests },
  ],
});
