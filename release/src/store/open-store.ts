import { ReleaseError } from '../platform/release-error.ts';
import { DirectoryStore } from './directory-store.ts';
import type { ObjectStore } from './object-store.ts';
import { S3Store, type S3Location } from './s3-store.ts';

export type StoreLocation =
  { readonly kind: 'directory'; readonly directory: string } | ({ readonly kind: 's3' } & S3Location);

export function openStore(location: StoreLocation): ObjectStore {
  return location.kind === 's3' ? new S3Store(location) : new DirectoryStore(location.directory);
}

/** Parses `s3://bucket` or `s3://bucket/prefix`. */
export function parseBucket(url: string) {
  const [, bucket, path = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(url) ?? [];
  const folders = path.split('/').filter(Boolean);
  return bucket === undefined
    ? undefined
    : { bucket, prefix: folders.map((folder) => `${folder}/`).join('') };
}

/** Opens the store of `npm start`, which must be a directory. Throws a {@link ReleaseError} if it is a bucket. */
export function openDirectoryStore(location: StoreLocation): DirectoryStore {
  if (location.kind === 'directory') return new DirectoryStore(location.directory);
  throw new ReleaseError(
    'STORE_URL names a bucket, but npm start releases into a folder. Remove STORE_URL, or serve the bucket: npm run release -- serve.',
  );
}
