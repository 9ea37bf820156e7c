/** A list for a message: its first three items, and the number of the others. */
export function summarizeList(items: readonly string[]): string {
  const more = items.length - 3;
  if (more > 0) return `${items.slice(0, 3).join(', ')} and ${more} more`;
  return new Intl.ListFormat('en', { style: 'long', type: 'conjunction' }).format(items);
}
