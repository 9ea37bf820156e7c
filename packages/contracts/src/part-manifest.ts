import * as z from 'zod/mini';
import { hydrationTimings } from './hydration-timing.ts';
import { partNames } from './remotes.ts';
import { budgetKinds } from './size-budget.ts';

const fileName = z.string().check(z.regex(/^[\w.-]+(\/[\w.-]+)*$/));

/** Files of a chunk, relative to the part's folder, in the order the page needs them. */
export const chunkFiles = z.object({ scripts: z.array(fileName), styles: z.array(fileName) });
export type ChunkFiles = z.infer<typeof chunkFiles>;

/** A version is a folder name and part of a global name: semantic version, optionally with a build suffix. */
export const partVersionName = z.string().check(z.regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/));

/** A module that parts have in common, as one part sees it. */
export const sharedModule = z.object({
  /** Versions that the part is content with. */
  range: z.string(),
  /** Version of the copy that it brings. A remote brings none. */
  provided: z.optional(z.string()),
});
export type SharedModule = z.infer<typeof sharedModule>;

/** A package, a scope, or a file or folder of the part, and how much of the minified code comes from it: 0 to 1. */
export const sourceShare = z.object({ source: z.string(), share: z.number() });
export type SourceShare = z.infer<typeof sourceShare>;

/**
 * `part.json`, written beside the files by every build: all that `release` needs to know about a built part,
 * so that a part from another repository can be published as well.
 */
export const partManifest = z.object({
  name: z.enum(partNames),
  version: partVersionName,
  /** Name of the global variable that the entry assigns its container to. The shell has none. */
  globalName: z.optional(z.string()),
  /** What starts the part: the shell's own script, or a remote's container. */
  entry: chunkFiles,
  /** Exposed key → the chunk that holds it. Empty for the shell. */
  exposes: z.record(z.string(), chunkFiles),
  /** Exposed key → file with the markup that the component renders to. Builds from before this was written have none. */
  fragments: z.optional(z.record(z.string(), fileName)),
  /** Exposed key → when the page hydrates the component. Builds from before this was written say nothing: at once. */
  hydration: z.optional(z.record(z.string(), z.enum(hydrationTimings))),
  /** Name of a module → how the part shares it. Builds from before this was written say nothing. */
  shared: z.optional(z.record(z.string(), sharedModule)),
  /** Kind → how many kilobytes the part may weigh. The check refuses a part without it. */
  budget: z.optional(z.record(z.enum(budgetKinds), z.number().check(z.nonnegative()))),
  /** Where the bytes of styles and scripts come from, heaviest first. Other bundlers may leave it out. */
  heaviestSources: z.optional(z.object({ style: z.array(sourceShare), script: z.array(sourceShare) })),
  /**
   * Everything that the build wrote, besides this file and source maps. What else lies in the folder is left from another
   * build and not published. Builds from before this was written say nothing, and are published with all that is there.
   */
  files: z.optional(z.array(fileName)),
});
export type PartManifest = z.infer<typeof partManifest>;

/** File name of the {@link PartManifest} in a built part's folder. */
export const partManifestFile = 'part.json';

/**
 * Folder in a part whose declarations (`remotes.d.ts` and what it imports) say what the part believed of the contract
 * when it was built.
 */
export const contractFolder = 'contract/';

/** File in the shell's folder that the composer turns into the landing page. */
export const documentTemplateFile = 'document.html';

/** The same for the page that answers an unknown path. */
export const notFoundTemplateFile = 'not-found.html';

/**
 * Folder in the shell's part whose files are served at the root of the site, such as `public/robots.txt` at
 * `/robots.txt`.
 */
export const publicFolder = 'public/';

/**
 * Stands for the origin of the site in the template and in public text files. No build knows the origin; the composer
 * puts it in.
 */
export const siteOriginPlaceholder = 'https://site-origin.invalid';

/** Places in a template that the composer fills. Each stands in it exactly once. */
export const documentMarkers = {
  /** First in `<head>`, since it holds only for what follows: the page's security policy. */
  policy: '<!--compose:policy-->',
  /** In `<head>`, before anything that reads configuration: data blocks, preload links, the shell's styles. */
  head: '<!--compose:head-->',
  /** At the end of `<body>`: the shell's scripts. */
  scripts: '<!--compose:scripts-->',
} as const;
