import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { releaseDocument } from '@countersign/contracts/release-document';
import { partNames, type PartName, type RemoteName } from '@countersign/contracts/remotes';
import { environmentWith } from '../config.ts';
import { builtFolder } from './running-site.ts';

/** Live versions of a remote. */
interface RemoteStatus {
  readonly live: string;
  readonly canary: string | undefined;
}

/** The command behind `npm run release`, for one store. Rejects with its output if it fails. */
export interface ReleaseInto {
  /** Runs it and returns what it prints for machines. */
  run<Printed>(...args: readonly string[]): Promise<Printed>;
  /** Runs several commands in one process, one after the other, and returns what each prints for machines. */
  runInTurn<Printed>(commands: readonly (readonly string[])[]): Promise<readonly Printed[]>;
  /** Publishes the builds of all parts, makes them live, and returns their versions. */
  releaseAllParts(): Promise<Readonly<Record<PartName, string>>>;
  /** Stores a build and returns its version. */
  publish(part: string, built: string): Promise<string>;
  /** Makes a version live without the check, and returns the release ID. */
  promote(part: string, version: string): Promise<string>;
  /** Makes a version a canary without the check, and returns the release ID. */
  canary(part: string, version: string, percent: number): Promise<string>;
  /** Live versions of a remote. */
  status(remote: RemoteName): Promise<RemoteStatus>;
}

// The pre-deploy check would refuse most versions of these tests.
const unchecked = ['--force', '--why', 'a test shows a broken version'] as const;

/** Arguments of the command that makes a version live without the check. */
export const promotion = (part: string, version: string): readonly string[] => [
  'promote',
  part,
  version,
  ...unchecked,
];

/** @param variables settings, the same as those of the site that serves the store */
export function releaseInto(variables: Readonly<Record<string, string>>): ReleaseInto {
  const runInTurn = async <Printed>(commands: readonly (readonly string[])[]) => {
    const program = join(import.meta.dirname, 'release-in-turn.ts');
    const running = promisify(execFile)(process.execPath, [program], { env: environmentWith(variables) });
    running.child.stdin?.end(JSON.stringify(commands));
    return JSON.parse((await running).stdout) as readonly Printed[];
  };
  const run = async <Printed>(...args: readonly string[]) => {
    const [printed] = await runInTurn<Printed>([args]);
    return printed as Printed;
  };
  const deploy = async (...args: readonly string[]) =>
    (await run<{ readonly releaseId: string }>(...args)).releaseId;
  return {
    run,
    runInTurn,
    async releaseAllParts() {
      const published = await runInTurn<{ readonly part: PartName; readonly version: string }>(
        partNames.map((part) => ['publish', part, builtFolder(part)]),
      );
      await runInTurn(published.map(({ part, version }) => promotion(part, version)));
      const versions = published.map(({ part, version }) => [part, version] as const);
      return Object.fromEntries(versions) as Record<PartName, string>;
    },
    publish: async (part, built) => (await run<{ readonly version: string }>('publish', part, built)).version,
    promote: (part, version) => deploy(...promotion(part, version)),
    canary: (part, version, percent) =>
      deploy('canary', part, version, '--percent', String(percent), ...unchecked),
    async status(remote) {
      const { release } = await run<{ readonly release: unknown }>('status');
      const now = releaseDocument.parse(release).remotes[remote];
      if (!now) throw new Error(`${remote} is not live.`);
      return { live: now.live.version, canary: now.canary?.version.version };
    },
  };
}
