import assert from 'node:assert/strict';
import type { ObjectStore } from '../store/object-store.ts';

/** A page at the root of the site, and its release ID. */
export async function servedPage(
  objects: ObjectStore,
  name: string,
): Promise<{ readonly html: string; readonly releaseId: string | undefined }> {
  const found = await objects.read(`current/${name}`);
  assert(found, `no ${name} is served`);
  const html = new TextDecoder().decode(found.bytes);
  return { html, releaseId: /"releaseId":"(r-[0-9a-f]{12})"/.exec(html)?.[1] };
}
