/**
 * Reads a JSON data block. There is no validation, because the composer has validated what it wrote. Throws if
 * the block is missing.
 */
export function readDataBlock<Data>(elementId: string): Data {
  const text = document.getElementById(elementId)?.textContent;
  if (!text) throw new Error(`The page has no data block "${elementId}". Compose it again.`); // blind spot (→ false): a page has its data, but that of a test.
  return JSON.parse(text) as Data;
}
