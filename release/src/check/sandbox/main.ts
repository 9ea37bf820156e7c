/**
 * Renders one page and writes what it showed. It is started with an empty environment and few permissions, takes the page
 * from its standard input, and gives the permissions up before any code of a part runs.
 */
import { writeSync } from 'node:fs';
import type { RenderJob } from '../render-report.ts';
import { lockDown } from './lock-down.ts';

const { exit } = process;

const job = await readJob();
const { openPage, warmUp } = await import('./open-page.ts');
await warmUp();
lockDown();
writeSync(1, 'ready\n');
try {
  const report = await openPage(job).untilSettled();
  writeSync(1, `${JSON.stringify(report)}\n`);
  exit(0);
} catch (error) {
  console.error(error);
  exit(1);
}

/** The first line of the input. The input stays open as long as the parent lives. */
function readJob(): Promise<RenderJob> {
  return new Promise((resolve) => {
    let text = '';
    process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (chunk.endsWith('\n')) resolve(JSON.parse(text) as RenderJob);
    });
    process.stdin.on('end', () => exit());
  });
}
