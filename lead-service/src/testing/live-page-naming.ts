import { releaseDocumentElementId } from '@countersign/contracts/page-markup';

/** Remote → the versions that a page names. */
type NamedRemotes = Readonly<
  Record<string, { readonly live: string; readonly previous?: string; readonly canary?: string }>
>;

/** The HTML of a live page, reduced to the part that the service reads. */
export function livePageNaming(remotes: NamedRemotes, shell = '1.0.0'): string {
  const document = {
    schemaVersion: 1,
    releaseId: 'r-0123456789ab',
    shell: { version: shell },
    remotes: Object.fromEntries(
      Object.entries(remotes).map(([name, { live, previous, canary }]) => [
        name,
        {
          live: { version: live },
          previous: previous && { version: previous },
          canary: canary && { version: { version: canary }, percent: 10 },
        },
      ]),
    ),
  };
  const block = JSON.stringify(document);
  return `<!doctype html><script type="application/json" id="site-config">{}</script><script type="application/json" id="${releaseDocumentElementId}">${block}</script>`;
}
