import childProcess from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns';
import { registerHooks, syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import os from 'node:os';

/** A part of Node's permission model that its types do not describe yet. */
interface DroppablePermission {
  drop(scope: 'fs.read'): void;
}

/** What the permission model leaves open, or does so in Node 24: network, and signals to other processes. */
const closed: readonly (readonly [owner: object, names: readonly string[]])[] = [
  [process, ['kill', '_kill', '_debugProcess', '_debugEnd', 'getBuiltinModule', 'binding', 'dlopen']],
  [os, ['setPriority']],
  ...[net, dgram, dns, dns.promises, childProcess].map((module) => [module, functionsOf(module)] as const),
  ...[
    net.Socket,
    net.Server,
    dgram.Socket,
    dns.Resolver,
    dns.promises.Resolver,
    childProcess.ChildProcess,
  ].map(
    ({ prototype }) =>
      [
        prototype,
        ['connect', 'listen', '_listen2', 'bind', 'send', 'spawn', ...resolversOf(prototype)],
      ] as const,
  ),
];

/**
 * Gives up what a page does not need, because code that breaks out of the page's context is code of this process. No
 * further module is loaded: `node:sqlite`, for one, opens files without asking the permission model.
 */
export function lockDown(): void {
  for (const [owner, names] of closed) {
    for (const name of names) {
      if (name in owner)
        Object.defineProperty(owner, name, { value: refuse, writable: false, configurable: false });
    }
  }
  syncBuiltinESMExports();
  registerHooks({ resolve: refuse, load: refuse });
  (process.permission as unknown as DroppablePermission).drop('fs.read');
}

function functionsOf(module: object): readonly string[] {
  const isFunction = (value: unknown) => typeof value === 'function';
  // Classes stay, as others derive from them; their methods are closed apart.
  return Object.entries(module).flatMap(([name, value]) =>
    isFunction(value) && !/^[A-Z]/.test(name) ? [name] : [],
  );
}

function resolversOf(prototype: object): readonly string[] {
  return Object.getOwnPropertyNames(prototype).filter((name) => /^(resolve|reverse)/.test(name));
}

function refuse(): never {
  const error = new Error('The pre-deploy check gives no access to this.');
  throw Object.assign(error, { code: 'ERR_ACCESS_DENIED' });
}
