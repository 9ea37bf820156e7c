import { readVersion } from '../../store/stored-version.ts';
import type { PageRule } from './page-rule.ts';

/** A visitor who does nothing loads no more script than the part's budget, also of chunks that the part calls lazy. */
export const wireSize: PageRule = {
  name: 'wire size',
  visitors: ['desktop'],
  async see({ firstFiles }, { remotes, store }) {
    const problems = [...remotes].map(async ([remote, version]) => {
      const { budget } = (await readVersion(store, remote, version)).manifest;
      const folder = `/${remote}/${version}/`;
      const scripts = firstFiles.filter((path) => path.startsWith(folder) && path.endsWith('.js'));
      const files = [...new Set(scripts)].map((path) => `${path.slice(folder.length)}.br`);
      const contents = await Promise.all(files.map((file) => store.readBytes(remote, version, file)));
      const total = contents.reduce((sum, { length }) => sum + length / 1000, 0);
      if (!budget || total <= budget.script) return [];
      const text = `loads ${total.toFixed(1)} kB of script before it is used, more than its budget of ${budget.script} kB`;
      return [{ remote, text }];
    });
    return (await Promise.all(problems)).flat();
  },
};
