/** Handles items as `Promise.all` does, a few at a time. There can be thousands, and a process can have few open files. */
export async function mapConcurrently<Item, Result>(
  items: Iterable<Item>,
  handle: (item: Item) => Promise<Result>,
  concurrency = 16,
): Promise<Result[]> {
  // All loops share the iterator.
  const waiting = [...items].entries();
  const results: Result[] = [];
  const handleNext = async () => {
    for (const [index, item] of waiting) results[index] = await handle(item);
  };
  await Promise.all(Array.from({ length: concurrency }, handleNext));
  return results;
}
