import { releaseDocumentElementId, siteConfigElementId } from '@countersign/contracts/data-blocks';
import { isDeepStrictEqual } from 'node:util';
import { releaseDocument, type ReleaseDocument } from '@countersign/contracts/release-document';
import { siteConfig, type SiteConfig } from '@countersign/contracts/site-config';
import type * as z from 'zod/mini';
import { isComposedText } from '../page/compose-pages.ts';
import { pageFiles } from '../page/reserved-names.ts';
import { hashPages, releaseIdOf, removeReleaseId } from '../page/name-release.ts';
import { pagePrefix, type ReleaseStore } from '../store/release-store.ts';
import { verifyDeltas, type FindDictionary } from './verify-deltas.ts';
import { equalBytes, readStoredFiles } from './verify-files.ts';

/** What the other documents of the store say of a release. Missing properties are not compared. */
interface ExpectedRelease {
  /** Its stored document. */
  readonly release: ReleaseDocument | undefined;
  /** Its configuration, which is stored of the live release only. */
  readonly site: SiteConfig | undefined;
  /** Its hash in the log. */
  readonly releaseHash: string | undefined;
  /** Whether it was live once, and is not being removed. */
  readonly mustHavePages: boolean;
}

/**
 * Compares the pages of a release with their hash, the compressed copies and deltas with the originals, and release document and
 * configuration in the page with the stored ones. Returns error messages.
 */
export async function verifyPages(
  store: ReleaseStore,
  releaseId: string,
  keys: readonly string[],
  { release, site, releaseHash, mustHavePages }: ExpectedRelease,
  findDictionary: FindDictionary,
): Promise<readonly string[]> {
  const { files, copies, deltas } = await readStoredFiles(store.objects, pagePrefix(releaseId), keys);
  const errors = copies
    .filter(({ file, content }) => !equalBytes(files.get(file), content))
    .map(({ name, file }) => `Release ${releaseId} has ${name}, which is no copy of ${file}.`);
  errors.push(...(await verifyDeltas(`Release ${releaseId}`, { files, deltas }, findDictionary)));
  const landing = files.get(pageFiles.landing);
  if (!landing) {
    // The landing page is written last. One without it is still being written, or being removed.
    if (!mustHavePages) return errors;
    return [
      files.size === 0
        ? `The pages of release ${releaseId} are not in the store.`
        : `Release ${releaseId} has lost ${pageFiles.landing}.`,
    ];
  }
  const found = hashOfStored(files, releaseId);
  if (releaseIdOf(found) !== releaseId || (releaseHash !== undefined && found !== releaseHash)) {
    errors.push(`The pages of release ${releaseId} do not match their hash.`);
  }
  if (release && !isDeepStrictEqual(dataIn(landing, releaseDocumentElementId, releaseDocument), release)) {
    errors.push(`The page of release ${releaseId} has another release document than the store.`);
  }
  // Only the preview page contains the complete configuration.
  const complete = files.get(pageFiles.preview) ?? landing;
  if (site && !isDeepStrictEqual(dataIn(complete, siteConfigElementId, siteConfig), site)) {
    errors.push(`The page of release ${releaseId} has another configuration than live.json.`);
  }
  return errors;
}

/** Hash of pages with the placeholder in place of the release ID, as they were composed. */
function hashOfStored(files: ReadonlyMap<string, Uint8Array>, releaseId: string): string {
  // Keeps a byte order mark, because the hash covers it.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const pages = [...files].map(
    ([name, bytes]) => [name, isComposedText(name) ? decoder.decode(bytes) : bytes] as const,
  );
  return hashPages(removeReleaseId(new Map(pages), releaseId));
}

/** Parses a data block of a page; `undefined` if it is missing or invalid, which the caller reports as a mismatch. */
function dataIn<Schema extends z.ZodMiniType>(
  page: Uint8Array,
  id: string,
  schema: Schema,
): z.infer<Schema> | undefined {
  const [, after = ''] = new TextDecoder().decode(page).split(`<script type="application/json" id="${id}">`);
  try {
    return schema.parse(JSON.parse(after.slice(0, after.indexOf('</script>'))));
  } catch {
    return undefined;
  }
}
