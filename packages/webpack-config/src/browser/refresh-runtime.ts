/// <reference lib="dom" />
import * as runtime from 'react-refresh/runtime';
import { refreshRuntimeGlobal } from './accept-components.ts';

// Before React DOM is evaluated, because it announces itself to this hook when it is.
runtime.injectIntoGlobalHook(globalThis as unknown as Window);
Object.assign(globalThis, { [refreshRuntimeGlobal]: runtime });
