// blind spot ('integrity', 1 → 2, async, 'anonymous'): no step loses the connection for weeks, and a script that is inserted is async; requests are tested.
import type { ModuleFederationRuntimePlugin } from '@module-federation/enhanced/runtime';
import { noIntegrity } from '@countersign/contracts/file-integrity';
import type { IntegrityMap } from './integrity-map.ts';
import { trustedScriptUrls } from './trusted-script-urls.ts';

/**
 * Adds subresource integrity to every script that the federation runtime creates, and refuses URLs outside the
 * release document. The runtime creates no links, because its code for preloads is not built in. The attributes equal those of the
 * preload links in the HTML, because the browser would otherwise fetch the file twice.
 */
export function integrityPlugin(
  files: IntegrityMap,
  trustedUrl = trustedScriptUrls(files),
): ModuleFederationRuntimePlugin {
  return {
    name: 'integrity',
    // Without the runtime's limit of 20 s, because a load without a connection waits for it.
    createScript: ({ url }) => ({ script: scriptFor(url, files, trustedUrl), timeout: 2 ** 31 - 1 }),
  };
}

/** A script element for a file of the page. Throws for an unknown URL. */
export function scriptFor(
  url: string,
  files: IntegrityMap,
  trustedUrl: (url: string) => string,
): HTMLScriptElement {
  const script = document.createElement('script');
  script.src = trustedUrl(url);
  script.async = true;
  script.crossOrigin = 'anonymous';
  // `trustedUrl` has thrown for an unknown URL.
  script.integrity = files.get(url) ?? noIntegrity;
  return script;
}
