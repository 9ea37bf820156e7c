import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { expect } from '@playwright/test';
import { launch } from 'puppeteer-core';
import { findCommand } from '../browser/engines.ts';
import { end, environmentWith, startServer } from '../site/running-site.ts';

/** A first-time visitor in a browser that Playwright does not drive. */
export interface Visitor extends AsyncDisposable {
  /** Opens a URL. Its images may still load. */
  open(url: string): Promise<void>;
  /** Runs statements in the page, without a result, or a function that uses nothing from outside its own body and waits for nothing. */
  run<Result, Parameters extends readonly unknown[]>(
    script: string | ((...parameters: Parameters) => Result),
    ...parameters: Parameters
  ): Promise<Result>;
  /** Types text into the focused element. {@link enterKey} in it presses Enter. */
  type(text: string): Promise<void>;
}

/** The Enter key in WebDriver, and in WebDriver BiDi. */
export const enterKey = '\uE007';

/** Starts Firefox, driven over WebDriver BiDi. */
async function startFirefox(): Promise<Visitor> {
  const browser = await launch({
    browser: 'firefox',
    executablePath: String(findCommand('firefox')),
    defaultViewport: { width: 1280, height: 800 },
  });
  const page = await browser.newPage();
  return {
    open: async (url) => void (await page.goto(url, { waitUntil: 'domcontentloaded' })),
    run: (script, ...parameters) => page.evaluate(script as never, ...(parameters as unknown as [])),
    type: (text) => page.keyboard.type(text),
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** Starts WebKitGTK on a virtual display. A package for these few requests of WebDriver would bring a hundred others. */
async function startWebKitGtk(): Promise<Visitor> {
  const display = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [displayNumber] = (await once(display.stdio[3] as Readable, 'data')) as [Buffer];
  // Finds a free port.
  const { port, url: driverUrl, close } = await startServer(() => undefined);
  await close();
  const env = environmentWith({ DISPLAY: `:${displayNumber.toString().trim()}` });
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], { env, stdio: 'ignore' });

  /** Sends a command and returns its value. Rejects with the driver's message if it fails. */
  async function send<Value>(method: string, path: string, parameters?: object): Promise<Value> {
    const body = parameters ? JSON.stringify(parameters) : null;
    const response = await fetch(driverUrl + path, { method, body });
    const { value } = (await response.json()) as { readonly value: Value };
    if (!response.ok) throw new Error(`WebKitWebDriver refuses ${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  }

  const alwaysMatch = {
    'webkitgtk:browserOptions': { args: ['--automation'] },
  };
  let session = '';
  await expect(async () => {
    const created = await send<{ sessionId: string }>('POST', '/session', { capabilities: { alwaysMatch } });
    session = `/session/${created.sessionId}`;
  }, 'the driver is ready').toPass({ timeout: 20_000 });

  const run: Visitor['run'] = (script, ...args) =>
    send('POST', `${session}/execute/sync`, {
      script: typeof script === 'string' ? script : `return (${script}).apply(null, arguments)`,
      args,
    });
  return {
    open: (url) => send('POST', `${session}/url`, { url }),
    run,
    // Not by actions, of which the driver refuses some on a busy machine.
    async type(text) {
      const active = await send<Record<string, string>>('GET', `${session}/element/active`);
      const [element] = Object.values(active);
      await send('POST', `${session}/element/${String(element)}/value`, { text });
    },
    async [Symbol.asyncDispose]() {
      await send('DELETE', session);
      await end(driver);
      await end(display);
    },
  };
}

export const startVisitor = { firefox: startFirefox, webkitgtk: startWebKitGtk };
