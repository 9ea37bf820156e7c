/**
 * Preloaded into each process of node:test, which otherwise tracks every promise with async hooks. That costs tests of many
 * small requests a third of their CPU time. It serves only to name the test of an error that no test awaits. Such an error
 * therefore ends the process here, with its stack, and fails the file.
 */
import hooks from 'node:async_hooks';
import { isMainThread } from 'node:worker_threads';

const { createHook } = hooks;

function fail(error: unknown): void {
  console.error('An error that no test awaits:', error);
  process.exit(1);
}

// Threads run no tests, and report their errors to the thread that started them.
if (isMainThread) {
  hooks.createHook = (callbacks) => createHook({ ...callbacks, trackPromises: false });
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
}
