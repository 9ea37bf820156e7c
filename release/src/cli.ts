/** The release command: `npm run release -- help`. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Caches compiled sources on disk, because compiling them takes longer than most commands. Covers later imports only.
enableCompileCache(join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'release'));
// Ignores EPIPE, because a reader such as `head` may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
const { runProgram } = await import('./cli/release-program.ts');
await runProgram(process.argv.slice(2));
