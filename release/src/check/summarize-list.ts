/** How many items of a list a message names. */
const maxListed = 3;

/** A list for a message: its first items, and the number of the others. */
export function summarizeList(items: readonly string[]): string {
  const listed = items.slice(0, maxListed);
  const more = items.length - listed.length;
  if (more > 0) return `${listed.join(', ')} and ${more} more`;
  return new Intl.ListFormat('en', { style: 'long', type: 'conjunction' }).format(listed);
}
