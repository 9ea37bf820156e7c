import type { SlotModule, SlotProps } from '@countersign/contracts/shell-api';
import type { ComponentType } from 'react';
import type { LoadAttempt, RemoteLoader } from '../federation/remote-loader.ts';

function attemptOf(version: string, load: LoadAttempt['load']): LoadAttempt {
  return { version, hydration: 'load', preload: () => undefined, load };
}

/** An attempt that loads. */
export function resolvingAttempt(version: string, Component: ComponentType<SlotProps>): LoadAttempt {
  return attemptOf(version, () => Promise.resolve({ default: Component }));
}

/** An attempt that fails to load. */
export function rejectingAttempt(version: string): LoadAttempt {
  return attemptOf(version, () => Promise.reject(new Error(`No ${version}`)));
}

/** An attempt that loads when the test calls `resolve`. */
export function deferredAttempt(
  version: string,
  Component: ComponentType<SlotProps>,
): { readonly attempt: LoadAttempt; resolve(): void } {
  let deliver: () => void = () => undefined;
  const module = new Promise<SlotModule>((resolve) => {
    deliver = () => resolve({ default: Component });
  });
  return { attempt: attemptOf(version, () => module), resolve: () => deliver() };
}

/** A loader with fixed attempts: `<remote>/<exposed key>` → attempts, best first. */
export function createLoaderStub(
  versions: Readonly<Record<string, readonly LoadAttempt[]>> = {},
): RemoteLoader {
  const none: readonly LoadAttempt[] = [];
  return { attempts: (remote, exposed) => versions[`${remote}/${exposed}`] ?? none };
}
