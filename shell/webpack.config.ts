import { buildVersion } from '@countersign/webpack-config/build-version';
import { createShellConfig } from '@countersign/webpack-config/create-shell-config';
import packageJson from './package.json' with { type: 'json' };
import { documentTemplate } from './src/document/document-template.ts';

export default createShellConfig({
  root: import.meta.dirname,
  documentTemplate: documentTemplate(),
  version: buildVersion(packageJson.version),
});
