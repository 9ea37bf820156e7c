/** The release command: `npm run release -- help`. */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Reading the sources anew costs more than most commands. What was read is kept, for what is imported from here on.
enableCompileCache(join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'release'));
// Whoever reads the output, such as `head`, may have seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
const { runProgram } = await import('./release-program.ts');
await runProgram(process.argv.slice(2));
