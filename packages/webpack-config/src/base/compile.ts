import webpack, { type Configuration } from 'webpack';

/** Runs webpack once. Throws an error with the messages of the build if it fails. */
export async function compile(config: Configuration): Promise<void> {
  const compiler = webpack(config);
  await new Promise<void>((resolve, reject) => {
    compiler.run((error, stats) => {
      if (error) reject(error);
      else if (stats?.hasErrors()) reject(new Error(stats.toString('errors-only')));
      else resolve();
    });
  });
  await new Promise((resolve) => compiler.close(resolve));
}
