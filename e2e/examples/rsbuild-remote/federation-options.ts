/** The page provides React. A copy of its own would break hooks. */
const fromThePage = {
  import: false,
  singleton: true,
  requiredVersion: '^19.3.0',
  strictVersion: true,
} as const;

/**
 * Options of the federation plugin, the same for Rsbuild and webpack.
 *
 * @param name the part with its version, because two versions may be in one page
 */
export const federationOptions = (name: string) => ({
  name,
  library: { type: 'global' as const, name },
  filename: 'entry.js',
  exposes: { './pricing': './src/pricing.tsx' },
  shared: { react: fromThePage, 'react-dom': fromThePage, 'react/jsx-runtime': fromThePage },
  dts: false as const,
  // The page provides the federation runtime.
  experiments: {
    externalRuntime: true,
    optimization: { disableSnapshot: true, disableRemote: true, target: 'web' as const },
  },
});
