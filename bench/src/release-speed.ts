import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentWith } from './config.ts';

const projectDirectory = join(import.meta.dirname, '..', '..');
const parts = ['shell', 'mf-header', 'mf-content', 'mf-pricing', 'mf-leads'] as const;
const rounds = 7;
/** What a team may be kept waiting, in milliseconds. */
const budget = 1000;

/** What a team waits for, in milliseconds: commands as a person calls them, start of the process included. */
interface Round {
  readonly publish: number;
  readonly promote: number;
  readonly rollback: number;
}

/** Releases the real mf-pricing into a store in a folder, and takes it back, again and again. */
export async function releaseSpeed(): Promise<{ figures: unknown; report: string }> {
  await run(join('node_modules', '.bin', 'turbo'), [
    'run',
    'build',
    ...parts.map((part) => `--filter=${part}`),
    '--output-logs=errors-only',
  ]);
  const directory = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const release = (...words: string[]) =>
      run(process.execPath, ['release/src/cli.ts', ...words], { DATA_DIR: join(directory, 'data') });
    for (const part of parts) await release('publish', part);
    for (const part of parts) await release('promote', part, await builtVersion(part));

    const measured: Round[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const version = `99.0.${round}`;
      const built = await builtAs(version, directory);
      measured.push({
        publish: await release('publish', 'mf-pricing', built),
        promote: await release('promote', 'mf-pricing', version),
        rollback: await release('rollback', 'mf-pricing'),
      });
    }
    const publish = median(measured.map((round) => round.publish));
    const promote = median(measured.map((round) => round.promote));
    const publishToLive = median(measured.map((round) => round.publish + round.promote));
    const rollback = median(measured.map((round) => round.rollback));
    const verdict = publishToLive <= budget && rollback <= budget ? 'within' : 'over';
    const report = [
      `Release of the built mf-pricing into a folder (medians of ${rounds}, start of each command included)`,
      line('publish', publish),
      line('promote', promote),
      line('publish → live', publishToLive),
      line('rollback', rollback),
      `${verdict} the budget of ${budget} ms for each of publish → live and rollback`,
    ].join('\n');
    return { figures: { publish, promote, publishToLive, rollback, budget, rounds }, report };
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** The build of mf-pricing, copied under another version. */
async function builtAs(version: string, directory: string): Promise<string> {
  const copy = join(directory, `built-${version}`);
  await cp(join(projectDirectory, 'mf-pricing', 'dist'), copy, { recursive: true });
  const manifest = join(copy, 'part.json');
  await writeFile(manifest, JSON.stringify({ ...JSON.parse(await readFile(manifest, 'utf8')), version }));
  return copy;
}

async function builtVersion(part: string): Promise<string> {
  const manifest = await readFile(join(projectDirectory, part, 'dist', 'part.json'), 'utf8');
  return String(JSON.parse(manifest).version);
}

/** Runs a command to its end and returns how long it took, in milliseconds. */
async function run(
  command: string,
  words: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<number> {
  const begun = performance.now();
  const running = spawn(command, words, {
    cwd: projectDirectory,
    env: environmentWith(variables),
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(running, 'exit');
  if (code !== 0) throw new Error(`${words.join(' ')} failed. What it says stands above.`);
  return performance.now() - begun;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function line(name: string, milliseconds: number): string {
  return `${name.padEnd(15)}${milliseconds.toFixed(0).padStart(6)} ms`;
}
