import { spawn } from 'node:child_process';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { readyLine, renderReport, type RenderJob, type RenderReport } from './render-report.ts';

/** What became of a rendering: what the page showed, or what its process did instead of saying so. */
export type RenderOutcome = { readonly report: RenderReport } | { readonly failure: string };

/** How long a rendering may take, in milliseconds. The page's own limit ends a sound one long before. */
export const renderTimeout = 30_000;

/** What a process may write before it is taken for a flood, in characters. */
const outputLimit = 1_000_000;
/** In megabytes: the heap, and all memory of the process. */
const memoryLimit = { heap: 512, process: 2048 } as const;
/** In seconds of processor time. Ends a process that loops after its parent has died. */
const processorLimit = 60;

const program = join(import.meta.dirname, 'sandbox', 'main.ts');

/**
 * Renders a page in a process of its own, because jsdom is no sandbox: code of a part can reach all that its process can.
 * This one has an empty environment, no files, network, child processes, workers or add-ons, and a limit of memory and
 * time. All that it can say is one {@link RenderReport}. Throws if the process did not even start.
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
      // A report that is already there counts, however late this process looks for it.
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
      // It may die before it has read everything.
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
    return { failure: 'did not say what it shows' };
  }
}

function spawnSandbox() {
  const node = [process.execPath, ...permissions(), `--max-old-space-size=${memoryLimit.heap}`, program];
  // The shell sets the limits. `env -i` takes away the variables that some shells add to an empty environment.
  const limits = `ulimit -c 0; ulimit -d ${memoryLimit.process * 1024}; ulimit -t ${processorLimit}; exec /usr/bin/env -i "$@"`;
  const [command = '', ...words] =
    process.platform === 'win32' ? node : ['/bin/sh', '-c', limits, 'render', ...node];
  return spawn(command, words, {
    cwd: '/',
    env: {},
    // In a process group of its own: a signal that it sends to its group ends itself alone.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** What the program needs to load itself. It gives up the files before it runs code of a part. */
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
    // It opens files without asking the permission model.
    '--no-experimental-sqlite',
  ];
}
