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

/** Functions that Node 24's permission model does not restrict: network, and signals to other processes. */
const blockedFunctions: readonly (readonly [owner: object, names: readonly string[]])[] = [
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
 * Drops all access that a page does not need, because code that escapes from the page's context runs in this process.
 * Blocks further modules too, because some, such as `node:sqlite`, open files without the permission model.
 */
export function lockDown(): void {
  for (const [owner, names] of blockedFunctions) {
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
  // Classes stay, because others derive from them. Their methods are blocked separately.
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
