import * as z from 'zod/mini';
import { hydrationTimings, partNames, budgetKinds } from '../page/remotes.ts';
import { journeys } from './journeys.ts';

/**
 * Name of a file of a build. It needs no escaping in URLs, pages and object keys, and fits every file system. No segment is `.` or
 * `..`, because tools join names to folders.
 */
export const fileName = z
  .string()
  .check(
    z.regex(
      /^(?!\.{1,2}(\/|$))[\w.-]+(\/(?!\.{1,2}(\/|$))[\w.-]+)*$/,
      'must be a path of letters, digits, ".", "-" and "_" inside the folder',
    ),
    z.maxLength(200, 'must have at most 200 characters'),
  );

/** Files of a chunk, relative to the part's folder, in the order the page needs them. */
export const chunkFiles = z.object({ scripts: z.array(fileName), styles: z.array(fileName) });
export type ChunkFiles = z.infer<typeof chunkFiles>;

/**
 * Version of a part: a semantic version, optionally with a build suffix. It is used as folder name, in global names, and as
 * the label of metrics.
 */
export const partVersionName = z
  .string()
  .check(
    z.regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/, 'must be a version such as 1.2.3 or 1.2.3-rc.1'),
    z.maxLength(64, 'must have at most 64 characters'),
  );

/** Names of the modules of which the page has one copy, which the shell provides to all remotes. */
export type SharedModuleName = 'react' | 'react-dom' | 'react/jsx-runtime';

/** A shared module, as one part declares it. */
export const sharedModule = z.object({
  /** Version range that the part accepts. */
  range: z.string(),
  /** Version of the copy that the part provides. Remotes provide none. */
  provided: z.optional(z.string()),
});
export type SharedModule = z.infer<typeof sharedModule>;

/**
 * Manifest `part.json` in every build: everything that `release` needs to know about a part.
 */
export const partManifest = z.object({
  name: z.enum(partNames),
  version: partVersionName,
  /** Name of the global variable that the entry assigns its container to. The shell has none. */
  globalName: z.optional(z.string()),
  /** Files that start the part: the shell's script, or the container of a remote. */
  entry: chunkFiles,
  /** Exposed key → its chunk. Empty for the shell. */
  exposes: z.record(z.string(), chunkFiles),
  /** Exposed key → file with the prerendered markup. Missing in older builds. */
  fragments: z.optional(z.record(z.string(), fileName)),
  /** Exposed key → when the page hydrates the component. Older builds have none, which means `load`. */
  hydration: z.optional(z.record(z.string(), z.enum(hydrationTimings))),
  /** Journeys of visitors, which the pre-deploy check follows in a browser. Missing in older builds. */
  journeys: z.optional(journeys),
  /** Module name → how the part shares it. Missing in older builds. */
  shared: z.optional(z.record(z.string(), sharedModule)),
  /** Kind → size budget in kilobytes. The pre-deploy check refuses a part without one. */
  budget: z.optional(z.record(z.enum(budgetKinds), z.number().check(z.nonnegative()))),
  /**
   * All files that the build emitted, except this manifest and source maps. Other files in the folder are left
   * over from earlier builds and are not published.
   */
  files: z.array(fileName),
});
export type PartManifest = z.infer<typeof partManifest>;

/** File name of the {@link PartManifest} in a built part's folder. */
export const partManifestFile = 'part.json';

/**
 * Folder in a part with the declarations of the contract (`remotes.d.ts` and its imports) that the part was
 * built against.
 */
export const contractFolder = 'contract/';

/** File in the shell's folder that the composer turns into the landing page. */
export const documentTemplateFile = 'document.html';

/** File in the shell's folder that the composer turns into the 404 page. */
export const notFoundTemplateFile = 'not-found.html';

/**
 * Folder in the shell's part whose files are served at the root of the site, such as `public/robots.txt` at
 * `/robots.txt`.
 */
export const publicFolder = 'public/';

/** Folder in the shell's part with its development build, which no page of visitors refers to. */
export const developmentFolder = 'development/';

/** Stylesheet in the shell's folder that only the preview page (`/?preview`) loads, to label each slot. */
export const previewStylesFile = 'preview.css';

/** Placeholder for the origin of the site in the template and in public text files. The composer replaces it. */
export const siteOriginPlaceholder = 'https://site-origin.invalid';

/** Markers in a template that the composer replaces. Each occurs exactly once. */
export const documentMarkers = {
  /** Content security policy. First in `<head>`, because it applies only to the elements after it. */
  policy: '<!--compose:policy-->',
  /** In `<head>`, before scripts that read configuration: data blocks, preload links, the shell's styles. */
  head: '<!--compose:head-->',
  /** At the end of `<body>`: the shell's scripts. */
  scripts: '<!--compose:scripts-->',
} as const;
