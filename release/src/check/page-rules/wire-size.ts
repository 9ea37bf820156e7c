import { initialChunks, readVersion } from '../../store/stored-version.ts';
import type { PageRule } from './page-rule.ts';

/** A visitor who does nothing loads no more script than the part's budget, also of chunks that the part calls lazy. */
export const wireSize: PageRule = {
  name: 'wire size',
  visitors: ['desktop'],
  async see({ firstFiles }, { remotes, store }) {
    const problems = [...remotes].map(async ([remote, version]) => {
      const { manifest } = await readVersion(store, remote, version);
      const { budget } = manifest;
      const folder = `/${remote}/${version}/`;
      const loaded = firstFiles.filter((path) => path.startsWith(folder) && path.endsWith('.js'));
      // The page may bundle the entry with those of other parts.
      const initial = initialChunks(manifest).flatMap(({ scripts }) => scripts);
      const files = new Set([...initial, ...loaded.map((path) => path.slice(folder.length))]);
      const contents = await Promise.all(
        Array.from(files, (file) => store.readBytes(remote, version, `${file}.br`)),
      );
      const total = contents.reduce((sum, { length }) => sum + length / 1000, 0);
      if (!budget || total <= budget.script) return [];
      const text = `loads ${total.toFixed(1)} kB of script before it is used, more than its budget of ${budget.script} kB`;
      return [{ remote, text }];
    });
    return (await Promise.all(problems)).flat();
  },
};
