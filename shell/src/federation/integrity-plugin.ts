import type { ModuleFederationRuntimePlugin } from '@module-federation/enhanced/runtime';
import type { IntegrityMap } from './integrity-map.ts';
import { trustedScriptUrls } from './trusted-script-urls.ts';

/**
 * Adds subresource integrity to every script and link that the federation runtime creates, and refuses URLs
 * outside the release document. The attributes equal those of the preload links in the HTML, because the
 * browser would otherwise fetch the file twice.
 */
export function integrityPlugin(
  files: IntegrityMap,
  trusted = trustedScriptUrls(files),
): ModuleFederationRuntimePlugin {
  return {
    name: 'integrity',
    createScript: ({ url }) => scriptFor(url, files, trusted),
    createLink({ url, attrs }) {
      const link = document.createElement('link');
      for (const [name, value] of Object.entries(attrs ?? {})) link.setAttribute(name, String(value));
      link.href = url;
      link.crossOrigin = 'anonymous';
      link.integrity = integrityFor(files, url);
      return link;
    },
  };
}

/** A script element for a file of the page. Throws for an unknown URL. */
export function scriptFor(
  url: string,
  files: IntegrityMap,
  trusted: (url: string) => string,
): HTMLScriptElement {
  const script = document.createElement('script');
  script.src = trusted(url);
  script.async = true;
  script.crossOrigin = 'anonymous';
  script.integrity = integrityFor(files, url);
  return script;
}

/** Throws for an unknown URL, because without a hash its content cannot be verified. */
function integrityFor(files: IntegrityMap, url: string): string {
  const integrity = files.get(url);
  if (!integrity) throw new Error(`The release document does not name ${url}. It is not loaded.`);
  return integrity;
}
