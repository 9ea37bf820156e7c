import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { expect } from '@playwright/test';
import { launch } from 'puppeteer-core';
import { commandsOf, type EngineName } from '../browser/engine-commands.ts';
import { end, environmentWith, startServer } from '../site/running-site.ts';

/** A first-time visitor in a browser that Playwright does not drive. */
export interface Visitor {
  /** Opens a URL. Its scripts and images may still load. */
  open(url: string): Promise<void>;
  /** Runs a source text in the page, or a function that uses nothing from outside its own body and waits for nothing. */
  run<Result, Parameters extends readonly unknown[]>(
    script: string | ((...parameters: Parameters) => Result),
    ...parameters: Parameters
  ): Promise<Result>;
  /** Types text into the focused element. */
  type(text: string): Promise<void>;
  pressEnter(): Promise<void>;
  close(): Promise<void>;
}

/** The Enter key in WebDriver. */
const enterKey = '\uE007';

/** Starts Firefox, driven over WebDriver BiDi. */
async function startFirefox(javaScript: boolean): Promise<Visitor> {
  const browser = await launch({
    browser: 'firefox',
    executablePath: String(commandsOf('firefox')['firefox-esr']),
    extraPrefsFirefox: { 'javascript.enabled': javaScript },
    defaultViewport: { width: 1280, height: 800 },
  });
  const page = await browser.newPage();
  return {
    open: async (url) => void (await page.goto(url, { waitUntil: 'domcontentloaded' })),
    run: (script, ...parameters) => page.evaluate(script as never, ...(parameters as unknown as [])),
    type: (text) => page.keyboard.type(text),
    pressEnter: () => page.keyboard.press('Enter'),
    close: () => browser.close(),
  };
}

/** Starts WebKitGTK on a virtual display. A package for these five requests of WebDriver would bring a hundred others. */
async function startWebKitGtk(javaScript: boolean): Promise<Visitor> {
  const { xvfb, 'webkit2gtk-driver': command } = commandsOf('webkitgtk');
  const display = spawn(String(xvfb), ['-displayfd', '3', '-screen', '0', '1280x900x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [displayNumber] = (await once(display.stdio[3] as Readable, 'data')) as [Buffer];
  // Finds a free port.
  const { port, url: driverUrl, close } = await startServer(() => undefined);
  await close();
  const variables = environmentWith({ DISPLAY: `:${displayNumber.toString().trim()}` });
  const driver = spawn(String(command), [`--port=${port}`], { env: variables, stdio: 'ignore' });

  /** Sends a command and returns its value. Rejects with the driver's message if it fails. */
  async function send<Value>(method: string, path: string, parameters?: object): Promise<Value> {
    const response = await fetch(driverUrl + path, {
      method,
      ...(parameters && { body: JSON.stringify(parameters) }),
    });
    const { value } = (await response.json()) as { readonly value: Value };
    if (!response.ok) throw new Error(`WebKitWebDriver refuses ${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  }

  const alwaysMatch = {
    // With 'eager', this driver does not respond between the end of the document and the load event.
    pageLoadStrategy: 'none',
    'webkitgtk:browserOptions': { args: ['--automation', `--enable-javascript=${javaScript}`] },
  };
  let session = '';
  await expect(async () => {
    const created = await send<{ sessionId: string }>('POST', '/session', { capabilities: { alwaysMatch } });
    session = `/session/${created.sessionId}`;
  }, 'the driver is ready').toPass({ timeout: 20_000 });

  // Not by actions, of which the driver refuses some on a busy machine.
  const type = async (text: string) => {
    const [element] = Object.values(await send<Record<string, string>>('GET', `${session}/element/active`));
    await send('POST', `${session}/element/${String(element)}/value`, { text });
  };
  const run: Visitor['run'] = (script, ...args) =>
    send('POST', `${session}/execute/sync`, {
      script: typeof script === 'string' ? script : `return (${script}).apply(null, arguments)`,
      args,
    });
  return {
    async open(url) {
      await run(() => void Object.assign(document, { isLeft: true }));
      const hasArrived = () =>
        run(() => document.readyState !== 'loading' && !('isLeft' in document)).catch(() => false);
      // With the strategy 'none', the driver sometimes drops a navigation.
      await expect(async () => {
        await send('POST', `${session}/url`, { url });
        await expect.poll(hasArrived, { message: `the browser shows ${url}` }).toBe(true);
      }).toPass();
    },
    run,
    type,
    pressEnter: () => type(enterKey),
    async close() {
      await send('DELETE', session);
      await end(driver);
      await end(display);
    },
  };
}

/** @public Options of the projects in `playwright.config.ts`. */
export interface EngineOptions {
  readonly engineName: EngineName;
}

/** Starts a browser of an engine. */
export const startVisitor: Readonly<Record<EngineName, (javaScript: boolean) => Promise<Visitor>>> = {
  firefox: startFirefox,
  webkitgtk: startWebKitGtk,
};
