import * as z from 'zod/mini';

/** Reads JSON that the composer wrote into the page. Throws when it is missing or not what the schema says. */
export function readDataBlock<Schema extends z.ZodMiniType>(
  elementId: string,
  schema: Schema,
): z.output<Schema> {
  const text = document.getElementById(elementId)?.textContent;
  if (!text) throw new Error(`The page has no data block "${elementId}". Compose it again.`);
  const result = schema.safeParse(JSON.parse(text));
  if (!result.success) {
    throw new Error(`The data block "${elementId}" is not valid: ${z.prettifyError(result.error)}`);
  }
  return result.data;
}
