import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { integrityOf } from '../platform/file-hash.ts';
import { renderPage, type RenderOutcome } from './render-page.ts';

/** Code that escapes from the page's context into the process, which jsdom does not prevent. */
const escaped = (code: string) => `setTimeout.constructor('console', ${JSON.stringify(code)})(console);`;

/** Runs a script in a page with one filled slot, and returns the outcome. */
function run(script: string, timeout?: number): Promise<RenderOutcome> {
  const bytes = new TextEncoder().encode(script);
  const integrity = integrityOf(bytes);
  const policy = `<meta http-equiv="Content-Security-Policy" content="script-src '${integrity}'; trusted-types own">`;
  const slot = '<div data-remote="part" data-version="1.0.0">Shown</div>';
  return renderPage(
    {
      html: `<!doctype html>${policy}<body>${slot}<script src="/part.js" integrity="${integrity}"></script>`,
      remote: 'part',
      origin: 'https://www.example.com',
      files: { '/part.js': Buffer.from(bytes).toString('base64') },
    },
    timeout,
  );
}

/** Errors that a script logs until the page is idle. */
async function logged(script: string): Promise<readonly string[]> {
  const outcome = await run(script);
  assert('report' in outcome, JSON.stringify(outcome));
  return outcome.report.errors;
}

const projectFile = join(import.meta.dirname, '..', '..', '..', 'package.json');

test('sandbox: stubs give the page no access to its process', async () => {
  const [message] = await logged(`matchMedia.constructor('return process')()`);
  assert.match(message ?? '', /Code generation from strings disallowed/);
});

test('sandbox: escaped code has an empty environment', async () => {
  assert.deepEqual(await logged(escaped('console.error(JSON.stringify(process.env))')), ['{}']);
});

for (const [what, attempt] of [
  ['loads a module', `process.getBuiltinModule('node:fs')`],
  ['reads a binding', `process.binding('fs')`],
  ['loads an add-on', `process.dlopen({ exports: {} }, '/tmp/add-on.node')`],
  ['starts a program', `process.execve('/bin/true', ['/bin/true'], {})`],
  ['kills its parent', `process.kill(process.ppid, 'SIGKILL')`],
  ['opens a debugger in its parent', `process._debugProcess(process.ppid)`],
  ['reads a file of the project', `process.loadEnvFile(${JSON.stringify(projectFile)})`],
  ['reads the environment of its parent', `process.loadEnvFile('/proc/' + process.ppid + '/environ')`],
] as const) {
  test(`sandbox: escaped code never ${what}`, async () => {
    const code = `try { ${attempt}; console.error('done'); } catch (error) { console.error(error.message); }`;
    const [message] = await logged(escaped(code));
    assert.match(message ?? '', /gives no access to this|Access to this API has been restricted/);
  });
}

test('sandbox: escaped code writes no file', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sandbox-'));
  try {
    const path = join(directory, 'report.json');
    await run(escaped(`process.report.writeReport(${JSON.stringify(path)})`));
    await assert.rejects(readFile(path), { code: 'ENOENT' });
  } finally {
    await rm(directory, { recursive: true });
  }
});

test('sandbox: escaped code reaches no server', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const code = `
      const Socket = process.stdout.constructor;
      (async () => {
        for (const attempt of [
          () => fetch('http://127.0.0.1:${port}'),
          () => fetch('http://name.invalid'),
          () => new Promise((_, reject) => new Socket().on('error', reject).connect(${port}, '127.0.0.1')),
          () => new Promise((_, reject) => new Socket().on('error', reject).connect('/tmp/socket')),
          () => new Promise((_, reject) => new Socket().on('error', reject).connect(${port}, 'localhost')),
        ]) {
          await attempt().then(() => console.error('done'), (error) => console.error((error.cause ?? error).code));
        }
      })();`;
    assert.deepEqual(await logged(escaped(code)), Array(5).fill('ERR_ACCESS_DENIED'));
    const inPage = `const request = new XMLHttpRequest();
      request.open('GET', 'http://127.0.0.1:${port}');
      request.send();`;
    assert.match((await logged(inPage)).join(), /gives no access to this|ERR_ACCESS_DENIED/);
    assert.equal(connections, 0);
  } finally {
    server.close();
  }
});

for (const [what, script, failure, limit] of [
  ['loops', 'for (;;);', /^was not done after 5 s$/, 5_000],
  ['loops outside of the page', escaped('for (;;);'), /^was not done after 5 s$/, 5_000],
  ['exits as if all were well', escaped('process.exit(0)'), /^ended its process \(exit code 0\)$/],
  ['aborts', escaped('process.abort()'), /^ended its process \(SIGABRT\)$/],
  [
    'reports what is no report',
    escaped(`process.stdout.write('{"slots":true}\\n')`),
    /^wrote no valid report$/,
  ],
  [
    'floods its output',
    escaped(`const flood = () => process.stdout.write('x'.repeat(2e6), flood); flood();`),
    /^wrote too much$|^ended its process|^wrote no valid report/,
  ],
  [
    'floods its error output',
    // With an empty slot, because a page that is complete before its output is read has a valid report.
    `document.querySelector('[data-remote]').removeAttribute('data-version');
      ${escaped(`const flood = () => process.stderr.write('x'.repeat(2e6), flood); flood();`)}`,
    /^wrote too much$|^ended its process|^wrote no valid report/,
  ],
] as const) {
  test(`sandbox: a page that ${what} is a failure`, async () => {
    const outcome = await run(script, limit);
    assert('failure' in outcome, JSON.stringify(outcome));
    assert.match(outcome.failure, failure);
  });
}

for (const [what, script] of [
  ['the heap', `const all = []; for (;;) all.push(new Array(1e6).fill(1.5));`],
  ['buffers', `const all = []; for (;;) all.push(new Uint8Array(1e8).fill(1));`],
] as const) {
  test(`sandbox: a page that fills ${what} ends before the machine is out of memory`, async () => {
    const outcome = await run(script);
    const text = JSON.stringify(outcome);
    assert.match(text, /ended its process|Array buffer allocation failed/, text);
  });
}

test('sandbox: a page cannot change the report by replacing built-ins', async () => {
  const script = `
    Array.prototype.map = () => []; Array.prototype.some = () => false; JSON.stringify = () => 'no';
    Object.prototype.version = '2.0.0'; Element.prototype.getAttribute = () => 'forged';
    document.querySelectorAll = () => []; document.body.firstChild.textContent = '';`;
  const outcome = await run(script);
  assert.deepEqual(outcome, {
    report: { slots: [{ remote: 'part', version: '1.0.0', blank: true }], errors: [], refused: [] },
  });
});

for (const [what, script, refusal] of [
  [
    'a script without a hash',
    `const script = document.createElement('script');
     script.src = trustedTypes.createPolicy('own', { createScriptURL: String }).createScriptURL('/part.js');
     document.body.append(script);`,
    { reason: 'no-hash', what: '/part.js' },
  ],
  [
    'a stylesheet without a hash',
    `const link = document.createElement('link');
     Object.assign(link, { rel: 'stylesheet', href: '/part.js' });
     document.body.append(link);`,
    { reason: 'no-hash', what: '/part.js' },
  ],
  [
    'a stylesheet from elsewhere',
    `const link = document.createElement('link');
     Object.assign(link, { rel: 'stylesheet', href: 'https://other.example/part.js' });
     document.body.append(link);`,
    { reason: 'not-stored', what: 'https://other.example/part.js' },
  ],
  [
    'a style as text',
    `document.body.append(Object.assign(document.createElement('style'), { textContent: 'p { color: red }' }));`,
    { reason: 'inline', what: '<style> p { color: red }' },
  ],
  [
    'an address without a Trusted Types policy',
    `document.createElement('script').src = '/part.js';`,
    { reason: 'plain-text', what: 'src /part.js' },
  ],
  [
    'the Trusted Types policy of another version',
    `trustedTypes.createPolicy('other', {});`,
    { reason: 'policy-name', what: 'other' },
  ],
] as const) {
  test(`page policy: ${what} is refused, as browsers do`, async () => {
    const outcome = await run(script);
    assert('report' in outcome, JSON.stringify(outcome));
    assert.deepEqual(outcome.report.refused, [refusal]);
  });
}
