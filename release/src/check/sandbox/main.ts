/**
 * Renders one page and writes a report. Starts with an empty environment and few permissions, reads the page from its
 * standard input, and drops its permissions before code of a part runs.
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

/** Reads the first line of the input. The input ends when the parent exits. */
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
