import { buildVersion } from '@countersign/webpack-config/build-version';
import { createRemoteConfig } from '@countersign/webpack-config/create-remote-config';
import packageJson from './package.json' with { type: 'json' };
import { journeys } from './journeys.ts';
import { remote } from './remote.ts';

export default createRemoteConfig({
  root: import.meta.dirname,
  remote,
  journeys,
  version: buildVersion(packageJson.version),
});
