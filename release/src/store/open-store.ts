import type { StoreLocation } from '../config.ts';
import { ReleaseFault } from '../release-fault.ts';
import { DirectoryStore } from './directory-store.ts';
import type { ObjectStore } from './object-store.ts';
import { S3Store } from './s3-store.ts';

export function openStore(location: StoreLocation): ObjectStore {
  return location.kind === 's3' ? new S3Store(location) : new DirectoryStore(location.directory);
}

/** For work that needs files on this machine. Throws a {@link ReleaseFault} when the store is a bucket. */
export function openDirectoryStore(location: StoreLocation): DirectoryStore {
  if (location.kind === 'directory') return new DirectoryStore(location.directory);
  throw new ReleaseFault(
    'A site is served here from a folder only, and STORE_URL names a bucket. Remove STORE_URL, or put a web server or CDN in front of the bucket.',
  );
}
