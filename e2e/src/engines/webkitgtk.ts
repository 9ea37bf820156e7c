import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { expect } from '@playwright/test';
import { end, environmentWith, startServer } from '../site/running-site.ts';
import type { Engine, Visitor } from './engine.ts';
import { engineCommands, requireCommand } from '../browser/engine-commands.ts';

/** Code of the Enter key in WebDriver. */
const enterKey = '\uE007';

/**
 * WebKit refuses script preloads, because it compares their `integrity` neither with the hashes of the policy nor with
 * `Integrity-Policy`. It loads the same file for the script element. Texts of `recorded-site.ts`.
 */
const refusedPreloads = [
  /^script-src-elem refuses \S+\.js$/,
  /^did not load: <link rel="preload" as="script" /,
];

/** Starts WebKitGTK's WebDriver on a virtual display. Each visitor is a session with its own browser. */
export async function startWebKitGtk(): Promise<Engine> {
  const driverCommand = requireCommand(engineCommands.webKitDriver);
  const display = spawn(
    requireCommand(engineCommands.virtualDisplay),
    ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const [displayNumber] = (await once(display.stdio[3] as Readable, 'data')) as [Buffer];

  // Finds a free port.
  const { port, close } = await startServer(() => undefined);
  await close();
  const driver = spawn(driverCommand, [`--port=${port}`], {
    env: environmentWith({ DISPLAY: `:${displayNumber.toString().trim()}` }),
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady, { message: 'WebKitWebDriver is ready' }).toBe(true);
  return {
    name: 'webkitgtk',
    knownErrors: refusedPreloads,
    newVisitor: (javaScript) => startSession(url, javaScript),
    async close() {
      await end(driver);
      await end(display);
    },
  };
}

async function startSession(driverUrl: string, javaScript: boolean): Promise<Visitor> {
  const { sessionId } = await send<{ readonly sessionId: string }>('POST', `${driverUrl}/session`, {
    capabilities: {
      alwaysMatch: {
        // With 'eager', this driver does not respond between the end of the document and the load event.
        pageLoadStrategy: 'none',
        'webkitgtk:browserOptions': { args: ['--automation', `--enable-javascript=${javaScript}`] },
      },
    },
  });
  const session = `${driverUrl}/session/${sessionId}`;
  const type = async (text: string) => {
    const keys = [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await send('POST', `${session}/actions`, { actions: [{ type: 'key', id: 'keyboard', actions: keys }] });
  };
  const run: Visitor['run'] = (script, ...args) =>
    send('POST', `${session}/execute/sync`, { script: `return (${script}).apply(null, arguments)`, args });
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
    setWidth: (width) => send('POST', `${session}/window/rect`, { width, height: 800 }),
    close: () => send('DELETE', session),
  };
}

/** Sends a command and returns its value. Rejects with the driver's message if it fails. */
async function send<Value>(method: string, url: string, parameters?: object): Promise<Value> {
  const response = await fetch(url, { method, ...(parameters ? { body: JSON.stringify(parameters) } : {}) });
  const { value } = (await response.json()) as { readonly value: Value };
  if (!response.ok) throw new Error(`WebKitWebDriver refuses ${method} ${url}: ${JSON.stringify(value)}`);
  return value;
}
