import type { SlotModule, SlotProps } from '@countersign/contracts/shell-api';
import type { ComponentType } from 'react';
import type { Candidate, RemoteLoader } from '../federation/remote-loader.ts';

/** A version that is there. */
export function loads(version: string, Component: ComponentType<SlotProps>): Candidate {
  return { version, hydration: 'load', load: () => Promise.resolve({ default: Component }) };
}

/** A version that cannot be had. */
export function rejects(version: string): Candidate {
  return { version, hydration: 'load', load: () => Promise.reject(new Error(`No ${version}`)) };
}

/** A version that is on its way until the test lets it arrive. */
export function arrivesLater(
  version: string,
  Component: ComponentType<SlotProps>,
): { readonly candidate: Candidate; arrive(): void } {
  let arrive: () => void = () => undefined;
  const module = new Promise<SlotModule>((resolve) => {
    arrive = () => resolve({ default: Component });
  });
  return { candidate: { version, hydration: 'load', load: () => module }, arrive: () => arrive() };
}

/** A loader that knows these versions: `<remote>/<exposed key>` → candidates, best first. */
export function createLoaderStub(known: Readonly<Record<string, readonly Candidate[]>> = {}): RemoteLoader {
  const none: readonly Candidate[] = [];
  return { candidates: (remote, exposed) => known[`${remote}/${exposed}`] ?? none };
}
