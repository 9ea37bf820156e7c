/** The thread behind `hostRelease`: runs one call of the command after the other. */
import { parentPort } from 'node:worker_threads';
import { runProgram } from '../cli/release-program.ts';
import { replaceEnvironment } from './config.ts';
import type { HostedCall } from './hosted-release.ts';
import { withoutSlowProgress } from './run-release.ts';

let stdout = '';
let stderr = '';
process.stdout.write = (chunk: string | Uint8Array) => {
  stdout += String(chunk);
  return true;
};
process.stderr.write = (chunk: string | Uint8Array) => {
  stderr += String(chunk);
  return true;
};

async function run({ words, environment }: HostedCall): Promise<void> {
  stdout = '';
  stderr = '';
  process.exitCode = 0;
  replaceEnvironment(environment);
  await runProgram(words);
  parentPort?.postMessage({ code: Number(process.exitCode), stdout, stderr: withoutSlowProgress(stderr) });
}

parentPort?.on('message', (call: HostedCall) => void run(call));
