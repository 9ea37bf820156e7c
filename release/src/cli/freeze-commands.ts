import { freeze } from '../deploy/freeze.ts';
import type { Run } from './command-context.ts';

/** Freezes a part, or all, until a time; ends the freeze without one. */
export const changeFreeze: Run<'freeze' | 'unfreeze'> = async ({ part, options }, { store, config }) => {
  const until = 'until' in options ? options.until : undefined;
  await freeze(store, part, until, { who: config.releaser, why: options.why });
  const state = until === undefined ? 'no longer frozen' : `frozen until ${until}`;
  return { json: { part, until }, lines: `${part ?? 'The page'} is ${state}` };
};
