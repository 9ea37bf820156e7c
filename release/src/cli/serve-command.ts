import { serve } from '../server/serve.ts';
import { runUntilStopped } from '../platform/stop-signal.ts';
import type { Run } from './command-context.ts';

export const serveSite: Run<'serve'> = async (_call, { config }) => {
  await runUntilStopped((stopping, opened) => serve(config, stopping, opened));
  return undefined;
};
