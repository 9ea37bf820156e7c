import { note } from './output.ts';

const between = 1_000;

/** Hands on what it is given, and says on stderr now and then how far that is. Short work stays silent. */
export async function* progressOf<Item>(items: AsyncIterable<Item>, total: number): AsyncGenerator<Item> {
  let done = 0;
  let last = performance.now();
  for await (const item of items) {
    yield item;
    done += 1;
    if (performance.now() - last < between) continue;
    last = performance.now();
    note(`${done} of ${total} …`);
  }
}
