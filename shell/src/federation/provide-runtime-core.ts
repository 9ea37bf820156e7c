import * as runtimeCore from '@module-federation/runtime-core';

/** Remotes are built without the core of the federation runtime and take it from this global. */
export function provideRuntimeCore(): void {
  Object.assign(globalThis, { _FEDERATION_RUNTIME_CORE: runtimeCore });
}
