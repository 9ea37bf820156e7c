import { buildVersion } from '@countersign/webpack-config/build-version';
import { createShellConfig } from '@countersign/webpack-config/create-shell-config';
import { journeys } from './journeys.ts';
import packageJson from './package.json' with { type: 'json' };
import { documentFiles } from './src/document/document-files.ts';

export default createShellConfig({
  root: import.meta.dirname,
  files: documentFiles(),
  // Kilobytes, compressed with Brotli: `release check` refuses a version that is over it.
  budget: { markup: 4.6, style: 1.5, script: 89 },
  journeys,
  version: buildVersion(packageJson.version),
});
