import webpack, { type Configuration, type StatsCompilation } from 'webpack';

/** Runs webpack and returns its stats. Throws webpack's message if the build fails. */
export async function runWebpack(config: Configuration): Promise<StatsCompilation> {
  const compiler = webpack(config);
  try {
    return await new Promise((resolve, reject) => {
      compiler.run((error, stats) => {
        if (error) reject(error);
        else if (!stats || stats.hasErrors()) reject(new Error(stats?.toString('errors-only')));
        else resolve(stats.toJson({ all: false, entrypoints: true }));
      });
    });
  } finally {
    await new Promise((resolve) => compiler.close(resolve));
  }
}

/** Names of an entry's files with a suffix. */
export function entryFiles(stats: StatsCompilation, entry: string, suffix: string): readonly string[] {
  const names = stats.entrypoints?.[entry]?.assets?.map(({ name }) => name) ?? [];
  return names.filter((name) => name.endsWith(suffix));
}
