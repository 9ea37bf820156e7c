import type { PageRule } from './page-rule.ts';

/** A visitor without scripts sees each block. */
export const plainPage: PageRule = {
  name: 'plain page',
  visitors: ['plain'],
  async see({ world }, { remotes }) {
    const missing = await world.run(slotsWithoutBox, [...remotes.keys()]);
    return missing.map(({ remote, exposed }) => ({
      remote,
      text: `shows nothing of ${exposed} to visitors without scripts`,
    }));
  },
};

/** Runs in the page. */
function slotsWithoutBox(remotes: readonly string[]) {
  return [...document.querySelectorAll<HTMLElement>('[data-remote]')].flatMap((slot) => {
    const { remote = '', exposed = '' } = slot.dataset;
    const isShown = [...slot.querySelectorAll('*')].some((child) => {
      const { width, height } = child.getBoundingClientRect();
      return width > 0 && height > 0;
    });
    const isEmpty = (slot.textContent.trim() === '' && !slot.querySelector('img, svg')) || !isShown;
    return remotes.includes(remote) && isEmpty ? [{ remote, exposed }] : [];
  });
}
