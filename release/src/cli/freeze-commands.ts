import { freeze } from '../deploy/freeze.ts';
import type { Run } from './command-context.ts';

/** Freezes a part, or all, until a time; ends the freeze without one. */
export const changeFreeze: Run<'freeze' | 'unfreeze'> = async (call, { store, config }) => {
  const { part, why } = call;
  const until = call.name === 'freeze' ? call.until : undefined;
  await freeze(store, part, until, { who: config.releaser, why });
  const state = until === undefined ? 'no longer frozen' : `frozen until ${until}`;
  return { json: { part, until }, lines: `${part ?? 'The page'} is ${state}` };
};
