import webpack, { type Configuration, type Stats } from 'webpack';

/** Runs webpack once. Throws an error with the messages of the build if it fails. */
export async function compile(config: Configuration): Promise<Stats> {
  const compiler = webpack(config);
  try {
    return await new Promise<Stats>((resolve, reject) => {
      compiler.run((error, stats) => {
        if (error) reject(error);
        else if (!stats || stats.hasErrors()) reject(new Error(stats?.toString('errors-only')));
        else resolve(stats);
      });
    });
  } finally {
    await new Promise((resolve) => compiler.close(resolve));
  }
}
