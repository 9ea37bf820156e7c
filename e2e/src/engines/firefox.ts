import { launch, type Browser, type Page } from 'puppeteer-core';
import type { Engine, Visitor } from './engine.ts';
import { engineCommands, requireCommand } from './find-command.ts';

/** Starts Firefox, driven over WebDriver BiDi. */
export async function startFirefox(): Promise<Engine> {
  const browser = await launchFirefox();
  return {
    knownErrors: [],
    async newVisitor({ javaScript = true } = {}) {
      if (!javaScript) {
        // JavaScript can only be disabled for the whole browser.
        const scriptless = await launchFirefox({ 'javascript.enabled': false });
        return visitorOf(await scriptless.newPage(), () => scriptless.close());
      }
      const context = await browser.createBrowserContext();
      return visitorOf(await context.newPage(), () => context.close());
    },
    close: () => browser.close(),
  };
}

function launchFirefox(preferences: Readonly<Record<string, unknown>> = {}): Promise<Browser> {
  return launch({
    browser: 'firefox',
    executablePath: requireCommand(engineCommands.firefox),
    extraPrefsFirefox: { ...preferences },
    defaultViewport: { width: 1280, height: 800 },
  });
}

function visitorOf(page: Page, close: () => Promise<void>): Visitor {
  return {
    async open(url) {
      await page.goto(url);
    },
    run: (script, ...parameters) => page.evaluate(script as never, ...(parameters as unknown as [])),
    type: (text) => page.keyboard.type(text),
    pressEnter: () => page.keyboard.press('Enter'),
    close,
  };
}
