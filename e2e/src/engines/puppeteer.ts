import { launch, type Browser, type LaunchOptions, type Page } from 'puppeteer-core';
import { browserArguments } from '@countersign/browser/browser-arguments';
import type { Engine, Visitor } from './engine.ts';
import { engineCommands, requireCommand } from './find-command.ts';

const defaultViewport = { width: 1280, height: 800 };

/** Starts Firefox, driven over WebDriver BiDi. */
export async function startFirefox(): Promise<Engine> {
  const browser = await launchFirefox();
  return {
    name: 'firefox',
    knownErrors: [],
    async newVisitor({ javaScript = true } = {}) {
      if (!javaScript) {
        // JavaScript can only be disabled for the whole browser.
        const scriptless = await launchFirefox({ 'javascript.enabled': false });
        return visitorOf(await scriptless.newPage(), () => scriptless.close());
      }
      return newVisitor(browser);
    },
    close: () => browser.close(),
  };
}

function launchFirefox(preferences: Readonly<Record<string, unknown>> = {}): Promise<Browser> {
  return launch({
    browser: 'firefox',
    executablePath: requireCommand(engineCommands.firefox),
    extraPrefsFirefox: { ...preferences },
    defaultViewport,
  });
}

/** Starts the Chromium of the other tests, driven like the other engines. */
export async function startChromium(): Promise<Engine> {
  const browser = await launch({
    browser: 'chrome',
    executablePath: requireCommand(engineCommands.chromium),
    args: browserArguments,
    defaultViewport,
  } satisfies LaunchOptions);
  return {
    name: 'chromium',
    knownErrors: [],
    newVisitor: ({ javaScript = true } = {}) => newVisitor(browser, javaScript),
    close: () => browser.close(),
  };
}

async function newVisitor(browser: Browser, javaScript = true): Promise<Visitor> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  if (!javaScript) await page.setJavaScriptEnabled(false);
  return visitorOf(page, () => context.close());
}

function visitorOf(page: Page, close: () => Promise<void>): Visitor {
  return {
    async open(url) {
      await page.goto(url, { waitUntil: 'domcontentloaded' });
    },
    run: (script, ...parameters) => page.evaluate(script as never, ...(parameters as unknown as [])),
    type: (text) => page.keyboard.type(text),
    pressEnter: () => page.keyboard.press('Enter'),
    setWidth: (width) => page.setViewport({ ...defaultViewport, width }),
    close,
  };
}
