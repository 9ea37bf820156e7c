import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { releaseDocument } from '@countersign/contracts/release-document';
import type { RemoteName } from '@countersign/contracts/remotes';
import { environmentWith } from '../config.ts';
import { releaseCommand } from './running-site.ts';

const run = promisify(execFile);

/** Live versions of a remote. */
export interface RemoteStatus {
  readonly live: string;
  readonly canary: string | undefined;
}

/** The command behind `npm run release`, for one store. Rejects with its output if it fails. */
export interface ReleaseInto {
  /** Runs it and returns what it prints for machines. */
  read<Printed>(...words: readonly string[]): Promise<Printed>;
  /** Runs several commands in one process, one after the other, and returns what each prints for machines. */
  readInTurn<Printed>(commands: readonly (readonly string[])[]): Promise<readonly Printed[]>;
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
const unchecked = ['--force', '--why', 'what is broken is to be shown'] as const;

/** Words of the command that makes a version live without the check. */
export const promotion = (part: string, version: string): readonly string[] => [
  'promote',
  part,
  version,
  ...unchecked,
];

/** @param variables settings, the same as those of the site that serves the store */
export function releaseInto(variables: Readonly<Record<string, string>>): ReleaseInto {
  const read = async <Printed>(...words: readonly string[]) => {
    const { stdout } = await run(process.execPath, [releaseCommand, ...words, '--json'], {
      env: environmentWith(variables),
    });
    return JSON.parse(stdout) as Printed;
  };
  const readInTurn = async <Printed>(commands: readonly (readonly string[])[]) => {
    const running = run(process.execPath, [join(import.meta.dirname, 'release-in-turn.ts')], {
      env: environmentWith(variables),
    });
    running.child.stdin?.end(JSON.stringify(commands));
    const { stdout } = await running;
    return JSON.parse(stdout) as readonly Printed[];
  };
  const flip = async (...words: readonly string[]) =>
    (await read<{ readonly releaseId: string }>(...words)).releaseId;
  return {
    read,
    readInTurn,
    publish: async (part, built) =>
      (await read<{ readonly version: string }>('publish', part, built)).version,
    promote: (part, version) => flip(...promotion(part, version)),
    canary: (part, version, percent) =>
      flip('canary', part, version, '--percent', String(percent), ...unchecked),
    async status(remote) {
      const { release } = await read<{ readonly release: unknown }>('status');
      const now = releaseDocument.parse(release).remotes[remote];
      if (!now) throw new Error(`${remote} is not live.`);
      return { live: now.live.version, canary: now.canary?.version.version };
    },
  };
}
