import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names that belong to a remote. */
export interface RemoteNames {
  /** Folder and package, such as `mf-faq`. */
  readonly remote: string;
  /** Source file of the component and its exposed key without `./`, such as `faq`. */
  readonly file: string;
  /** Component, such as `Faq`. */
  readonly component: string;
  /** Heading of the section, such as `Faq`. */
  readonly title: string;
}

/** Derives the names of a remote from the name of its folder. */
export function namesOf(remote: string): RemoteNames {
  const file = remote.replace('mf-', '');
  const words = file.split('-').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  return { remote, file, component: words.join(''), title: words.join(' ') };
}

/** A small remote under the name of a real one, so that its types are checked against the contract. */
const template = join(import.meta.dirname, '..', 'template');
const placeholders = /Our Prices|Pricing|pricing|"\*"|"(\.\.\/){2,3}/g;

/**
 * Files of a new remote, by path in its folder: one section with a heading, its test, and what builds it.
 *
 * @param reactVersion the version that the page provides
 */
export function remoteFiles(
  { file, component, title }: RemoteNames,
  reactVersion: string,
): Readonly<Record<string, string>> {
  const replacements: Readonly<Record<string, string>> = {
    'Our Prices': title,
    Pricing: component,
    pricing: file,
    '"*"': JSON.stringify(reactVersion),
    // The new folder is at the project's root.
    '"../../../': '"../',
    '"../../': '"../packages/',
  };
  const renamed = (text: string) => text.replaceAll(placeholders, (found) => replacements[found] ?? found);
  const paths = globSync('**/*.*', { cwd: template, exclude: ['node_modules/**'] });
  return Object.fromEntries(
    paths.map((path) => [renamed(path), renamed(readFileSync(join(template, path), 'utf8'))]),
  );
}
