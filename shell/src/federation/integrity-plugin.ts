import type { ModuleFederationRuntimePlugin } from '@module-federation/enhanced/runtime';
import type { KnownFiles } from './known-files.ts';
import { scriptAddresses } from './script-addresses.ts';

/**
 * Loads what the federation runtime asks for with the integrity that the release document states, and refuses every
 * other address. The attributes are those of the preload links in the HTML: if they differed, the browser would fetch
 * the file twice.
 */
export function integrityPlugin(
  files: KnownFiles,
  trusted = scriptAddresses(files),
): ModuleFederationRuntimePlugin {
  return {
    name: 'integrity',
    createScript({ url }) {
      const script = document.createElement('script');
      script.src = trusted(url);
      script.async = true;
      script.crossOrigin = 'anonymous';
      script.integrity = integrityFor(files, url);
      return script;
    },
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

/** Throws where there is none: nothing is loaded that nobody vouches for. */
function integrityFor(files: KnownFiles, url: string): string {
  const integrity = files.get(url);
  if (!integrity) throw new Error(`The release document does not name ${url}. It is not loaded.`);
  return integrity;
}
