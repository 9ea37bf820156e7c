import { releaseDocumentElementId, slotAttributes } from '@countersign/contracts/page-markup';
import { pageReportPath } from '@countersign/contracts/part-event';
import type { PageReport } from '@countersign/contracts/page-report';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { reportedKey, storeIfNewThisHour } from './page-reporter.ts';

/**
 * Reports a view in which the shell could not be loaded or did not start, because then it cannot report this itself. Without it, a
 * canary of the shell that fails in every view would have no views. A page whose shell did not start becomes plain. The source text
 * is inlined in the HTML, so the function must not use anything outside its body.
 */
function reportFailedStart(
  documentId: string,
  unfilledSlot: string,
  plain: string,
  path: string,
  storageKey: string,
  storeIfNew: typeof storeIfNewThisHour,
): void {
  const report = (cause: 'load' | 'render') => {
    const text = document.getElementById(documentId)?.textContent;
    if (!text || location.search.includes('variant=')) return;
    const { releaseId, shell } = JSON.parse(text) as ReleaseDocument;
    const group = shell.canary ? shell.group : 'stable';
    if (!group || !storeIfNew(storageKey, `shell ${shell.version} failed`)) return;
    const view = { part: 'shell', version: shell.version, group } as const;
    const parts = [
      { ...view, measure: 'viewed' as const },
      { ...view, measure: 'failed' as const, cause },
    ];
    const body = JSON.stringify({ releaseId, parts, vitals: [] } satisfies PageReport);
    navigator.sendBeacon(path, new Blob([body], { type: 'application/json' }));
  };
  // Deferred scripts have run by then, or failed. One that is requested again makes the page plain if it fails again.
  let hasFailed = false;
  addEventListener('error', ({ target }) => (hasFailed ||= target instanceof HTMLScriptElement), true);
  addEventListener('DOMContentLoaded', () => {
    if (hasFailed || !document.querySelector(unfilledSlot)) return;
    report('render');
    document.documentElement.setAttribute(plain, '');
  });
  new MutationObserver(() => report('load')).observe(document.documentElement, { attributeFilter: [plain] });
}

/** Inline script at the top of the page, after the one that removes the attribute for plain pages. */
export const reportFailedStartScript = `(${reportFailedStart})("${releaseDocumentElementId}","[${slotAttributes.remote}]:not([${slotAttributes.state}])","${slotAttributes.plain}","${pageReportPath}","${reportedKey}",${storeIfNewThisHour})`;
