import { join } from 'node:path';
import { slotKey } from '@countersign/contracts/part-manifest';
import { federationManifestFile } from '@countersign/contracts/federation-manifest';
import * as z from 'zod/mini';
import { readJsonFile } from '../read-json-file.ts';

const files = z.object({ sync: z.array(z.string()), async: z.array(z.string()) });
const assets = z.object({ js: files, css: files });

/** What Module Federation writes as `mf-manifest.json`: the fields that are read here. */
const federationManifest = z.object({
  metaData: z.object({
    name: z.string(),
    /** Global variable that the entry assigns its container to. */
    globalName: z.optional(z.string()),
    /** Missing if the build computes it at run time. */
    publicPath: z.optional(z.string()),
    buildInfo: z.optional(z.object({ buildVersion: z.optional(z.string()) })),
    /** `type`: the library type of the bundler, such as `global`, or `module` for an ES module. */
    remoteEntry: z.object({ name: z.string(), path: z.string(), type: z.string() }),
  }),
  shared: z.array(
    z.object({
      name: z.string(),
      requiredVersion: z.string(),
      singleton: z.optional(z.boolean()),
      /** Files of the build's own copy. */
      assets,
    }),
  ),
  remotes: z.array(z.unknown()),
  exposes: z.array(
    z.object({
      /** Exposed key. */
      path: z.string().check(z.regex(slotKey, 'must be like "./pricing"')),
      assets,
    }),
  ),
});
export type FederationManifest = z.infer<typeof federationManifest>;

export function readFederationManifest(directory: string): Promise<FederationManifest> {
  return readJsonFile(join(directory, federationManifestFile), federationManifest, {
    missing: `${directory} holds no ${federationManifestFile}. Build the part with Module Federation 2, "manifest: true" and the public path "auto".`,
    remedy: 'Build the part again, with Module Federation 2.',
  });
}
