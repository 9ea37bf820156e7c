import { defineConfig, devices } from '@playwright/test';
import { browserArguments } from './src/browser-arguments.ts';
import { config } from './src/config.ts';
import { findBrowser } from './src/find-browser.ts';

const executablePath = findBrowser();

export default defineConfig({
  testDir: 'src',
  testMatch: '**/*.test.ts',
  outputDir: 'test-results',
  forbidOnly: config.continuousIntegration,
  fullyParallel: false,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    ...devices['Desktop Chrome'],
    trace: 'retain-on-failure',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: browserArguments,
    },
  },
});
