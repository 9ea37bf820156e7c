/**
 * Prints the parts that the changes since a commit affect, as a JSON list, for the release workflow:
 * `node scripts/ci/affected-parts.ts <commit>`. Without a commit, or for a branch's first push, all parts.
 */
import { join } from 'node:path';
import { partNames } from '@countersign/contracts/remotes';
import { affectedParts } from './affected-tasks.ts';

const [base = ''] = process.argv.slice(2);
/** What GitHub names as the commit before a branch's first push. */
const isFirstPush = /^0*$/.test(base);
try {
  const parts = isFirstPush ? partNames : affectedParts(join(import.meta.dirname, '..', '..'), base);
  console.log(JSON.stringify(parts));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
