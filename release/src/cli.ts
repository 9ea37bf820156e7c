/** The release command: `npm run release -- help`. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { ignoreOutputErrors } from '@countersign/contracts/program';

// Caches compiled sources on disk, because compiling them takes longer than most commands. Covers later imports only.
enableCompileCache(join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'release'));
ignoreOutputErrors();
const { runProgram } = await import('./cli/release-program.ts');
await runProgram(process.argv.slice(2));
