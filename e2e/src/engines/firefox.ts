import { launch, type Page } from 'puppeteer-core';
import { engineCommands, requireCommand } from '../browser/engine-commands.ts';
import type { Engine, Visitor } from './engine.ts';

const defaultViewport = { width: 1280, height: 800 };

const launchFirefox = (javaScript: boolean) =>
  launch({
    browser: 'firefox',
    executablePath: requireCommand(engineCommands.firefox),
    extraPrefsFirefox: { 'javascript.enabled': javaScript },
    defaultViewport,
  });

/** Starts Firefox, driven over WebDriver BiDi. */
export async function startFirefox(): Promise<Engine> {
  const browser = await launchFirefox(true);
  return {
    name: 'firefox',
    knownErrors: [],
    async newVisitor(javaScript) {
      // JavaScript can only be disabled for the whole browser.
      const owner = javaScript ? await browser.createBrowserContext() : await launchFirefox(false);
      return visitorOf(await owner.newPage(), () => owner.close());
    },
    close: () => browser.close(),
  };
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
