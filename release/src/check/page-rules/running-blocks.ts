import type { PageRule } from './page-rule.ts';

/** React's hydration errors, in production and development builds. */
const mismatch = /failed to hydrate|Minified React error #(418|423|425)\b|Hydration failed/;

/** Each slot of the version runs its code, and shows something. Its errors are in the message, because they are the reason. */
export const runningBlocks: PageRule = {
  name: 'running blocks',
  visitors: ['desktop', 'phone', 'translated'],
  see({ slots, errors }, { remotes }) {
    const reasons = errors.slice(0, 3).join('; ');
    const because = reasons === '' ? '' : ` (${reasons})`;
    return [...remotes].flatMap(([remote, version]) => {
      const own = slots.filter((slot) => slot.remote === remote);
      const broken = (text: string) => [{ remote, text: `${text}${because}` }];
      if (own.length === 0) return broken('is nowhere on the page that the live shell shows');
      if (own.some((slot) => slot.version !== version))
        return broken('does not come to life in the live shell');
      if (own.some(({ isBlank }) => isBlank)) return broken('renders nothing');
      const ofOthers = /\bmf-[a-z-]+@/;
      const isOwn = (error: string) => error.includes(`${remote}@`) || !ofOthers.test(error);
      if (errors.some((error) => mismatch.test(error) && isOwn(error))) {
        return broken('renders something else in the page than in its fragments');
      }
      return [];
    });
  },
};
