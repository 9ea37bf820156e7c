import type { Asset } from '@countersign/contracts/release-document';
import type { ModuleFederationRuntimePlugin } from '@module-federation/enhanced/runtime';

/**
 * Loads entries with the integrity that the release document states. The attributes are those of the preload link
 * in the HTML: if they differed, the browser would fetch the file twice.
 */
export function integrityPlugin(entries: readonly Asset[]): ModuleFederationRuntimePlugin {
  const integrityOf = new Map(
    entries.map(({ url, integrity }) => [new URL(url, location.origin).href, integrity]),
  );
  return {
    name: 'integrity',
    createScript({ url }) {
      const integrity = integrityOf.get(url);
      if (!integrity) return;
      const script = document.createElement('script');
      script.src = url;
      script.async = true;
      script.crossOrigin = 'anonymous';
      script.integrity = integrity;
      return script;
    },
  };
}
