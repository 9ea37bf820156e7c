import { printStatus } from './output.ts';

/** Milliseconds between two lines. */
const progressInterval = 1_000;

/** Passes items through, and prints the progress to stderr every second. */
export async function* progressOf<Item>(items: AsyncIterable<Item>, total: number): AsyncGenerator<Item> {
  let done = 0;
  let last = performance.now();
  for await (const item of items) {
    yield item;
    done += 1;
    if (performance.now() - last < progressInterval) continue;
    last = performance.now();
    printStatus(`${done} of ${total} …`);
  }
}
