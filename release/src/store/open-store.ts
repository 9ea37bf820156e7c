import { ReleaseError } from '../platform/release-error.ts';
import { DirectoryStore } from './directory-store.ts';
import type { ObjectStore } from './object-store.ts';
import { S3Store, type S3Location } from './s3-store.ts';

/** Location of the store. */
export type StoreLocation =
  { readonly kind: 'directory'; readonly directory: string } | ({ readonly kind: 's3' } & S3Location);

export function openStore(location: StoreLocation): ObjectStore {
  return location.kind === 's3' ? new S3Store(location) : new DirectoryStore(location.directory);
}

/** Opens a store that must be a directory. Throws a {@link ReleaseError} if it is a bucket. */
export function openDirectoryStore(location: StoreLocation): DirectoryStore {
  if (location.kind === 'directory') return new DirectoryStore(location.directory);
  throw new ReleaseError(
    'STORE_URL names a bucket, but this command serves a directory only. Remove STORE_URL, or put a web server or CDN in front of the bucket.',
  );
}
