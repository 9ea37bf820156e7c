/** Puts a data block into the page, as the composer does. A string is taken as it is. */
export function addDataBlock(id: string, content: unknown): void {
  const block = document.createElement('script');
  block.type = 'application/json';
  block.id = id;
  block.textContent = typeof content === 'string' ? content : JSON.stringify(content);
  document.head.append(block);
}
