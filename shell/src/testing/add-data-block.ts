/** Adds a data block to the page, as the composer does. A string is inserted unchanged. */
export function addDataBlock(id: string, content: unknown): void {
  const block = document.createElement('script');
  block.type = 'application/json';
  block.id = id;
  block.textContent = typeof content === 'string' ? content : JSON.stringify(content);
  document.head.append(block);
}
