import * as runtimeCore from '@module-federation/runtime-core';

/** Provides the core of the federation runtime as a global, because remotes are built without it. */
export function provideRuntimeCore(): void {
  Object.assign(globalThis, { _FEDERATION_RUNTIME_CORE: runtimeCore });
}
