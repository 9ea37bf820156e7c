import { cp, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectDirectory, runProgram } from './platform/child-programs.ts';
import { median } from './platform/percentiles.ts';
import { withRunningSite } from './platform/running-site.ts';

const roundCount = 5;
/** Time budget of a command, in milliseconds. */
const budget = 1000;

/** Duration of each command in milliseconds, including the start of the process. */
interface Round {
  readonly publish: number;
  readonly promote: number;
  readonly rollback: number;
}

/** Publishes, promotes and rolls back mf-pricing repeatedly, in a directory store with all other parts. */
export async function releaseSpeed(): Promise<{ figures: unknown; report: string }> {
  const measured = await withRunningSite((_url, dataDirectory) => measure(dataDirectory));
  const of = (value: (round: Round) => number) => median(measured.map(value));
  const figures = {
    publish: of(({ publish }) => publish),
    promote: of(({ promote }) => promote),
    publishToLive: of(({ publish, promote }) => publish + promote),
    rollback: of(({ rollback }) => rollback),
    budget,
    rounds: roundCount,
  };
  const comparison = figures.publishToLive <= budget && figures.rollback <= budget ? 'within' : 'over';
  const report = [
    `Release of the built mf-pricing into a folder (medians of ${roundCount}, start of each command included)`,
    line('publish', figures.publish),
    line('promote', figures.promote),
    line('publish → live', figures.publishToLive),
    line('rollback', figures.rollback),
    `${comparison} the budget of ${budget} ms for each of publish → live and rollback; the check comes before`,
  ].join('\n');
  return { figures, report };
}

async function measure(dataDirectory: string): Promise<readonly Round[]> {
  const release = (...args: string[]) =>
    runProgram(['release/src/cli.ts', ...args], { DATA_DIR: dataDirectory });
  await using directory = await mkdtempDisposable(join(tmpdir(), 'bench-built-'));
  const measured: Round[] = [];
  for (let round = 1; round <= roundCount; round += 1) {
    const version = `99.0.${round}`;
    const built = await copyBuildAs(version, directory.path);
    measured.push({
      publish: await release('publish', 'mf-pricing', built),
      // Skips the check. Promoting a checked version does the same work as a forced promotion.
      promote: await release('promote', 'mf-pricing', version, '--force', '--why', 'a measurement'),
      rollback: await release('rollback', 'mf-pricing'),
    });
  }
  return measured;
}

/** Copies the build of mf-pricing under another version. */
async function copyBuildAs(version: string, directory: string): Promise<string> {
  const copy = join(directory, `built-${version}`);
  await cp(join(projectDirectory, 'mf-pricing', 'dist'), copy, { recursive: true });
  const manifest = join(copy, 'part.json');
  await writeFile(manifest, JSON.stringify({ ...JSON.parse(await readFile(manifest, 'utf8')), version }));
  return copy;
}

function line(name: string, milliseconds: number): string {
  return `${name.padEnd(15)}${milliseconds.toFixed(0).padStart(6)} ms`;
}
