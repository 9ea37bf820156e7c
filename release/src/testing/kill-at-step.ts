/**
 * Preloaded into a process (`node --import …/kill-at-step.ts?7`), kills it immediately after its seventh step that changes a
 * store. A step is a `link`, `rename` or `symlink`, the `rm` of an object, or a write request to an object server after its response.
 */
import fs from 'node:fs/promises';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';

const last = Number(new URL(import.meta.url).search.slice(1));
let steps = 0;

function step(): void {
  steps += 1;
  if (steps === last) process.kill(process.pid, 'SIGKILL');
}

const { link, rename, rm, symlink } = fs;
fs.link = async (...given) => link(...given).finally(step);
fs.rename = async (...given) => rename(...given).finally(step);
fs.symlink = async (...given) => symlink(...given).finally(step);

fs.rm = async (path, options) => {
  const isDraft = String(path).includes('/staging/');
  await rm(path, options).finally(isDraft ? undefined : step);
};

const ask = http.request;
http.request = ((...given: Parameters<typeof ask>) => {
  const request = ask(...given);
  if (request.method === 'PUT' || request.method === 'DELETE') request.prependListener('response', step);
  return request;
}) as typeof ask;

syncBuiltinESMExports();
