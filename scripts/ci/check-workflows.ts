/** Checks the workflow files with GitHub's own parser, and that each action is pinned to a commit. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workflowErrors } from './workflow-errors.ts';

const folder = join(import.meta.dirname, '..', '..', '.github', 'workflows');
for (const name of globSync('*.{yml,yaml}', { cwd: folder })) {
  for (const error of await workflowErrors(name, readFileSync(join(folder, name), 'utf8'))) {
    console.error(`.github/workflows/${name}: ${error}`);
    process.exitCode = 1;
  }
}
