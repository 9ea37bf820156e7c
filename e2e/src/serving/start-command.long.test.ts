import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from '@playwright/test';
import {
  childrenOf,
  end,
  makeDataDirectory,
  removeDirectory,
  spawnStart,
  startServer,
  startSite,
  waitForLine,
} from '../site/running-site.ts';

const portVariables = ['PORT', 'LEADS_PORT', 'BOARD_PORT'] as const;

let dataDirectory: string;

test.beforeEach(async () => {
  dataDirectory = await makeDataDirectory();
});

test.afterEach(() => removeDirectory(dataDirectory));

/** Expects that a start fails with exit code 1, and returns what it prints. */
async function failedStart(variables: Readonly<Record<string, string>>): Promise<string> {
  const start = spawnStart({ PORT: '0', LEADS_PORT: '0', DATA_DIR: dataDirectory, ...variables });
  const [, printed] = await Promise.all([once(start, 'exit'), start.stderr ? text(start.stderr) : '']);
  expect(start.exitCode).toBe(1);
  return printed.trim();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('npm start: a killed start leaves no service behind', async () => {
  const site = await startSite(dataDirectory);
  const children = await childrenOf(Number(site.process.pid));
  await end(site.process, 'SIGKILL');
  await expect.poll(() => children.filter(isAlive)).toEqual([]);
});

for (const variable of portVariables) {
  test(`npm start: a busy ${variable} prints one message, exit code 1`, async () => {
    await using other = await startServer(() => undefined);
    const { port } = other;
    const printed = await failedStart({ [variable]: port });
    expect(printed).toBe(
      `Port ${port} is in use. Stop the process that listens there, or choose another with ${variable}=<port>.`,
    );
  });
}

/** The start prints this after it has looked whether its ports are free. */
const building = /building the parts/;

for (const taken of portVariables) {
  test(`npm start: a ${taken} taken during the build ends it and all it opened`, async () => {
    test.slow();
    const ports: Record<string, string> = {};
    for (const variable of portVariables) {
      await using free = await startServer(() => undefined);
      ports[variable] = free.port;
    }
    const start = spawnStart({ ...ports, DATA_DIR: dataDirectory });
    const closed = once(start, 'close');
    const lines: string[] = [];
    await waitForLine(start, building, lines);
    await using other = await startServer(
      (_request, response) => response.end(),
      '127.0.0.1',
      Number(ports[taken]),
    );
    await closed;
    expect(start.exitCode).toBe(1);
    const messages = lines.filter((line) => line.includes(`Port ${other.port} `));
    expect(messages).toEqual([expect.stringMatching(`is in use.* ${taken}\\b`)]);
    const answers = portVariables.map((variable) =>
      fetch(`http://127.0.0.1:${ports[variable]}`).then(
        () => variable,
        () => undefined,
      ),
    );
    expect((await Promise.all(answers)).filter(Boolean)).toEqual([taken]);
  });
}

for (const stage of [building, /listening on/, /is live/, /board is on/]) {
  test(`npm start: SIGINT ends it and its processes at the line ${stage.source}`, async () => {
    test.slow();
    const start = spawnStart({ PORT: '0', LEADS_PORT: '0', BOARD_PORT: '0', DATA_DIR: dataDirectory });
    await waitForLine(start, stage);
    const children = await childrenOf(Number(start.pid));
    await end(start, 'SIGINT');
    expect(start.exitCode).toBe(0);
    await expect.poll(() => children.filter(isAlive)).toEqual([]);
  });
}
