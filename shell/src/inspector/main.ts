/**
 * Entry point of the preview page's tools. Only the preview page loads it, before the shell's script, and it does nothing
 * without `?boundaries`.
 */
import { releaseDocumentElementId, siteConfigElementId } from '@countersign/contracts/data-blocks';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { telemetryPath } from '@countersign/contracts/telemetry-path';
import { assignVariants } from '../canary/assign-variants.ts';
import { visitorId, visitorStorageKey } from '../canary/visitor-id.ts';
import { readDataBlock } from '../document/read-data-block.ts';
import { rootElementId } from '../page/element-ids.ts';
import { showOverlay } from './overlay.tsx';
import { createPageBlocks } from './page-blocks.ts';
import { applyChoice, boundariesParameter, readChoice, versionsToTry } from './page-versions.ts';
import { watchLoads } from './watch-loads.ts';

if (new URLSearchParams(location.search).has(boundariesParameter)) start();

function start(): void {
  const published = readDataBlock<ReleaseDocument>(releaseDocumentElementId);
  const { owners, overrideKey } = readDataBlock<SiteConfig>(siteConfigElementId);
  const { choice, ignored } = readChoice(published, location.search);
  const release = applyChoice(published, choice);
  replaceDataBlock(releaseDocumentElementId, release);
  dropTelemetry();

  const root = document.getElementById(rootElementId);
  if (!root) throw new Error(`The page has no element "${rootElementId}".`);
  const blocks = createPageBlocks(root, release);
  const variants = assignVariants(release, () => visitorId(visitorStorageKey));
  watchLoads(blocks, (remote) => versionsToTry(release, remote, variants[remote]));

  showOverlay(root, {
    blocks,
    // Without the choice, which moves versions to other roles.
    release: published,
    choice,
    ignored,
    acceptsLinks: overrideKey !== undefined,
    owners,
    groupOf(remote) {
      const percent = published.remotes[remote]?.canary?.percent;
      if (percent === undefined) return 'no canary';
      return choice.has(remote) ? 'chosen version' : `${variants[remote]} (canary: ${percent} %)`;
    },
  });
}

/** Changes the data block before the shell reads it. The choice is only among versions that are in it, with their hashes. */
function replaceDataBlock(elementId: string, value: unknown): void {
  // The text node, because Trusted Types guard the text of script elements, data blocks included.
  const text = document.getElementById(elementId)?.firstChild;
  if (text instanceof Text) text.data = JSON.stringify(value);
}

/** Views with the overlay are not reported, because they would distort the figures of real visitors. */
function dropTelemetry(): void {
  const send = navigator.sendBeacon.bind(navigator);
  navigator.sendBeacon = (url, data) =>
    new URL(url, location.href).pathname === telemetryPath ? true : send(url, data);
}
