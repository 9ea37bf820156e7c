/**
 * Provides the core of the federation runtime as a global, for parts that are built without it. A script of its own, which
 * the composer adds to pages with such a part, because the shell contains less of the runtime.
 */
import * as runtimeCore from '@module-federation/runtime-core';

Object.assign(globalThis, { _FEDERATION_RUNTIME_CORE: runtimeCore });
