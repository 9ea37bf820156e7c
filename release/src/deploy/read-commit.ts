import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { commitName } from '../store/stored-documents.ts';

/** Milliseconds that Git may take, such as in a repository on a stalled network disk. */
const timeout = 20_000;

/** The commit that a folder's repository has checked out; `undefined` without Git or a commit, because parts can be published without. */
export async function readCommit(folder: string): Promise<string | undefined> {
  // Without any tag, so that Git prints the hash alone.
  const args = ['describe', '--always', '--abbrev=40', '--dirty', '--exclude=*'];
  try {
    const { stdout } = await promisify(execFile)('git', args, { cwd: folder, timeout });
    return commitName.test(stdout.trim()) ? stdout.trim() : undefined;
  } catch {
    return undefined;
  }
}
