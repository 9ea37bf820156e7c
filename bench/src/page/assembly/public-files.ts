import { join } from 'node:path';
import { filesIn, siteFile, type Site } from './site-files.ts';
import { projectDirectory } from './variant-config.ts';

/** Icons and other files at the root of every variant. */
export async function publicFiles(): Promise<Site> {
  return new Map([
    ...(await filesIn(join(projectDirectory, 'shell', 'public'))),
    ['/site.webmanifest', await siteFile('/site.webmanifest', Buffer.from('{}'))] as const,
  ]);
}
