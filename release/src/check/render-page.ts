import { spawn } from 'node:child_process';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { readyLine, renderReport, type RenderJob, type RenderReport } from './render-report.ts';

/** The report of the sandbox, or how its process failed. */
export type RenderOutcome = { readonly report: RenderReport } | { readonly failure: string };

/** Timeout of a rendering, in milliseconds. The page's own timeout is shorter. */
export const renderTimeout = 30_000;

/** Limit of a process's output, in characters. */
const outputLimit = 1_000_000;
/** In megabytes: the V8 heap, and the whole process. */
const memoryLimit = { heap: 512, process: 2048 } as const;
/** In seconds of CPU time. Ends a looping process even if its parent has died. */
const cpuTimeLimit = 60;

const program = join(import.meta.dirname, 'sandbox', 'main.ts');

/**
 * Renders a page in a separate process, because jsdom is not a security boundary: code of a part can escape into its process.
 * The process has an empty environment, no access to files, network, child processes, workers or add-ons, and limited
 * memory and time. Its only output is one {@link RenderReport}. Throws if the process does not start.
 */
export async function renderPage(job: RenderJob, timeout = renderTimeout): Promise<RenderOutcome> {
  const sandbox = spawnSandbox();
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      const texts = { output: '', errors: '' };
      const collect = (name: keyof typeof texts) => (chunk: string) => {
        texts[name] += chunk;
        if (texts[name].length > outputLimit) resolve({ failure: 'wrote too much' });
      };
      // Deferred, because a report that has already arrived must win over the timeout.
      const endInTime = () => setImmediate(resolve, { failure: `was not done after ${timeout / 1000} s` });
      timer = setTimeout(endInTime, timeout);
      sandbox.stderr.setEncoding('utf8').on('data', collect('errors'));
      sandbox.stdout
        .setEncoding('utf8')
        .on('data', collect('output'))
        .on('data', () => {
          const [, report, rest] = texts.output.split('\n', 3);
          if (report !== undefined && rest !== undefined) resolve(readReport(report));
        });
      sandbox.on('error', reject).on('close', (code, signal) => {
        if (texts.output.startsWith(readyLine)) {
          resolve({ failure: `ended its process (${signal ?? `exit code ${code}`})` });
        } else {
          reject(new Error(`The process that renders the page did not start: ${texts.errors.trim()}`));
        }
      });
      // Ignores EPIPE, because the process may exit before it has read its input.
      sandbox.stdin.on('error', () => undefined).write(`${JSON.stringify(job)}\n`);
    });
  } finally {
    clearTimeout(timer);
    sandbox.kill('SIGKILL');
  }
}

function readReport(text: string): RenderOutcome {
  try {
    return { report: renderReport.parse(JSON.parse(text)) };
  } catch {
    return { failure: 'wrote no valid report' };
  }
}

function spawnSandbox() {
  const node = [process.execPath, ...permissions(), `--max-old-space-size=${memoryLimit.heap}`, program];
  // `env -i` removes the variables that some shells add to an empty environment.
  const limits = `ulimit -c 0; ulimit -d ${memoryLimit.process * 1024}; ulimit -t ${cpuTimeLimit}; exec /usr/bin/env -i "$@"`;
  const [command = '', ...words] =
    process.platform === 'win32' ? node : ['/bin/sh', '-c', limits, 'render', ...node];
  return spawn(command, words, {
    cwd: '/',
    env: {},
    // A process group of its own, so that a signal to its group does not reach this process.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Read access that the program needs to start. It drops the permission before it runs code of a part. */
function permissions(): readonly string[] {
  const jsdom = findPackageJSON('jsdom', import.meta.url);
  if (!jsdom) throw new Error('The package jsdom is not installed. Run npm install.');
  const packages = [dirname(dirname(jsdom)), join(import.meta.dirname, '..', '..', 'node_modules')];
  const readable = [
    ...packages,
    join(import.meta.dirname, 'sandbox'),
    join(import.meta.dirname, 'render-report.ts'),
    join(import.meta.dirname, '..', '..', 'package.json'),
  ];
  return [
    '--permission',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    // `node:sqlite` opens files without the permission model.
    '--no-experimental-sqlite',
  ];
}
