import { releaseDocumentElementId, siteConfigElementId } from '@countersign/contracts/data-blocks';
import { isDeepStrictEqual } from 'node:util';
import { releaseDocument, type ReleaseDocument } from '@countersign/contracts/release-document';
import { siteConfig, type SiteConfig } from '@countersign/contracts/site-config';
import type * as z from 'zod/mini';
import { isComposedText, pageFiles } from './flip/compose-pages.ts';
import { hashPages, nameRelease, withoutName } from './flip/name-release.ts';
import { pagePrefix, type ReleaseStore } from './store/release-store.ts';
import { isSame, readStoredFiles } from './verify-files.ts';

/** What is known of a release from elsewhere in the store. */
export interface ExpectedRelease {
  /** The document that is stored of it, if there is one. */
  readonly release: ReleaseDocument | undefined;
  /** The configuration that the store has of it, where it does. */
  readonly site: SiteConfig | undefined;
  /** The hash that the log has of it, if it has. */
  readonly releaseHash: string | undefined;
  /** Whether it was ever live: its pages were whole then. */
  readonly wasLive: boolean;
}

/**
 * Hashes the pages of a release again, as they were when they got their name, and compares compressed copies and the
 * release document in the page. Returns what is wrong, in sentences.
 */
export async function verifyPages(
  store: ReleaseStore,
  releaseId: string,
  keys: readonly string[],
  { release, site, releaseHash, wasLive }: ExpectedRelease,
): Promise<readonly string[]> {
  const { files, copies } = await readStoredFiles(store.objects, pagePrefix(releaseId), keys);
  const faults = copies
    .filter(({ file, content }) => !isSame(files.get(file), content))
    .map(({ name, file }) => `Release ${releaseId} has ${name}, which is no copy of ${file}.`);
  const landing = files.get(pageFiles.landing);
  if (!landing) {
    // Written last: where it is missing, and was never live, the release is half written.
    if (!wasLive) return faults;
    return [
      files.size === 0
        ? `The pages of release ${releaseId} are not in the store.`
        : `Release ${releaseId} has lost ${pageFiles.landing}.`,
    ];
  }
  const found = hashOfStored(files, releaseId);
  if (nameRelease(found) !== releaseId || (releaseHash !== undefined && found !== releaseHash)) {
    faults.push(`The pages of release ${releaseId} are not those that it was made of.`);
  }
  if (release && !isDeepStrictEqual(dataIn(landing, releaseDocumentElementId, releaseDocument), release)) {
    faults.push(`The page of release ${releaseId} has another release document than the store.`);
  }
  // Only the page for developers has all of it.
  const complete = files.get(pageFiles.preview) ?? landing;
  if (site && !isDeepStrictEqual(dataIn(complete, siteConfigElementId, siteConfig), site)) {
    faults.push(`The page of release ${releaseId} has another configuration than live.json.`);
  }
  return faults;
}

/** The hash of pages as they were composed, before they got their name. */
function hashOfStored(files: ReadonlyMap<string, Uint8Array>, releaseId: string): string {
  // Not even a byte order mark is left out.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const pages = [...files].map(
    ([name, bytes]) => [name, isComposedText(name) ? decoder.decode(bytes) : bytes] as const,
  );
  return hashPages(withoutName(new Map(pages), releaseId));
}

/** What a data block of a page holds. */
function dataIn<Schema extends z.ZodMiniType>(
  page: Uint8Array,
  id: string,
  schema: Schema,
): z.infer<Schema> | undefined {
  const [, after = ''] = new TextDecoder().decode(page).split(`<script type="application/json" id="${id}">`);
  try {
    return schema.parse(JSON.parse(after.slice(0, after.indexOf('</script>'))));
  } catch {
    // No such data, which is reported as other data.
    return undefined;
  }
}
