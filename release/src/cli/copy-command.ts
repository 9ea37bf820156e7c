import { resolve } from 'node:path';
import { Option } from 'commander';
import { verifyStore } from '../deploy/verify-store.ts';
import { removeWithdrawn } from '../deploy/withdrawn-versions.ts';
import { UsageError } from '../platform/release-error.ts';
import { copyStore } from '../store/copy-store.ts';
import { openStore, parseBucket, type StoreLocation } from '../store/open-store.ts';
import { ReleaseStore } from '../store/release-store.ts';
import { printProgress } from './print.ts';
import type { ReleaseCommand } from './release-command.ts';

/** Objects between two lines of progress. */
const progressStep = 200;

export const copyCommand: ReleaseCommand<{ readonly to?: string }> = {
  usage: 'copy',
  description:
    'copy all releases into another store, serve the live one there, and verify the copy; repeat it to go on',
  options: [new Option('--to <store>', 'a bucket, s3://bucket/prefix, or a folder').makeOptionMandatory()],
  async run({ options: { to = '' }, open }) {
    const { store, config } = open();
    const target = new ReleaseStore(openStore(targetOf(to, config.s3Endpoint)));
    const { displayName } = target.objects;
    const copied = await copyStore(store, target, (count, missing) => {
      if (count % progressStep === 0) printProgress(`copied ${count} of ${missing} objects …`);
    });
    // An earlier copy may have versions that were withdrawn since.
    await removeWithdrawn(target);
    printProgress(`verifying ${displayName} …`);
    const { errors, files } = await verifyStore(target, () => undefined);
    return {
      json: { to: displayName, copied, files, faults: errors },
      lines: [
        ...errors,
        `${displayName} has all releases: ${copied} objects copied, ${files} files ${errors.length === 0 ? 'as published' : 'verified'}`,
      ],
      hasFailed: errors.length > 0,
    };
  },
};

function targetOf(to: string, endpoint: string | undefined): StoreLocation {
  const bucket = parseBucket(to);
  if (!bucket && to.startsWith('s3:')) {
    throw new UsageError(`--to ${to} is no bucket. Give one such as s3://releases or s3://releases/site.`);
  }
  return bucket ? { kind: 's3', ...bucket, endpoint } : { kind: 'directory', directory: resolve(to) };
}
