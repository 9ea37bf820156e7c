/**
 * Reads JSON that the composer wrote into the page, against the schema of its type. Throws when it is missing.
 */
export function readDataBlock<Data>(elementId: string): Data {
  const text = document.getElementById(elementId)?.textContent;
  if (!text) throw new Error(`The page has no data block "${elementId}". Compose it again.`);
  return JSON.parse(text) as Data;
}
