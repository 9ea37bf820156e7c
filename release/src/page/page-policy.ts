import { createHash } from 'node:crypto';
import { entryPolicyName } from '@countersign/contracts/file-integrity';
import type { ChunkAssets, ReleaseDocument } from '@countersign/contracts/release-document';

/** What holds for a page whatever its release. A directive that is not here falls back to `default-src`. */
const common = [
  "default-src 'none'",
  "connect-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "manifest-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
];

/** Where a developer's own machine serves a part that is tried out. */
const ownMachine = ['http://localhost:*', 'http://127.0.0.1:*'];

/**
 * Whom a page is for. In the page for developers, a part may come from a developer's machine or be any stored version;
 * the shell loads it only with a token that is signed. All else holds there as well.
 */
export type Audience = 'visitors' | 'developers';

/**
 * The policy that stands in the page. A script runs only if its hash is here, which for a file means that the element
 * asks for exactly these bytes: no address is trusted as such, not even this site's (`'self'`), and no script may vouch
 * for another (`'strict-dynamic'`). Stylesheets have no such list in browsers; theirs is the integrity of the element.
 * Trusted Types policies are those of the builds that the release names.
 */
export function policyInPage(html: string, { shell, remotes }: ReleaseDocument, audience: Audience): string {
  if (audience === 'developers') return policyForDevelopers(html);
  const versions = Object.values(remotes)
    .flatMap(({ live, previous, canary }) => [live, previous, canary?.version])
    .filter((version) => version !== undefined);
  const chunks: readonly (ChunkAssets | undefined)[] = [
    shell,
    shell.later,
    ...versions.flatMap(({ entry, exposes, later }) => [
      { scripts: [entry], styles: [] },
      ...Object.values(exposes),
      later,
    ]),
  ];
  const hashes = chunks.flatMap((chunk) => chunk?.scripts.map(({ integrity }) => `'${integrity}'`) ?? []);
  const policies = [`shell@${shell.version}`, ...versions.map(({ globalName }) => globalName)];
  return directives(
    ...common,
    `script-src ${list([...inlineScripts(html), ...hashes])}`,
    `style-src ${list(["'self'", ...inlineStyles(html)])}`,
    `trusted-types ${list([entryPolicyName, ...policies.filter(canNameAPolicy)])}`,
  );
}

/**
 * The policy that travels as a header, for what a page cannot say of itself (who may frame it) and as a second lock. It
 * changes only with the page's inline parts, so that a server which learns of a release a moment late does no harm.
 */
export function policyInHeader(html: string, audience: Audience): string {
  if (audience === 'developers') return `${policyForDevelopers(html)}; frame-ancestors 'none'`;
  return directives(
    ...common,
    "frame-ancestors 'none'",
    `script-src ${list(["'self'", ...inlineScripts(html)])}`,
    `style-src ${list(["'self'", ...inlineStyles(html)])}`,
  );
}

function policyForDevelopers(html: string): string {
  const from = ["'self'", ...ownMachine];
  return directives(
    ...common.filter((directive) => !directive.startsWith('connect-src')),
    `connect-src ${list([...from, 'ws://localhost:*', 'ws://127.0.0.1:*'])}`,
    `script-src ${list([...from, ...inlineScripts(html)])}`,
    `style-src ${list([...from, ...inlineStyles(html)])}`,
  );
}

/** For a page that the server does not know yet, or no more: what holds for all. The page itself says the rest. */
export const policyOfUnknownPage = directives(
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
);

/** For a file that is no page, should somebody open it as one: no script of a picture runs. */
export const policyOfFile = 'sandbox';

function directives(...all: readonly string[]): string {
  return all.join('; ');
}

function list(sources: readonly string[]): string {
  return [...new Set(sources)].join(' ');
}

/** The name of a build comes from outside, and stands in a header: what could end the directive is left out. */
function canNameAPolicy(name: string): boolean {
  return /^[\w\-#=/@.%]+$/.test(name);
}

/** Data blocks are no scripts: the browser never runs them. */
function inlineScripts(html: string): readonly string[] {
  return elements(html, 'script')
    .filter(({ attributes }) => !/\bsrc=|\btype="application\/(?:ld\+)?json"/.test(attributes))
    .map(({ text }) => hashSource(text));
}

function inlineStyles(html: string): readonly string[] {
  return elements(html, 'style').map(({ text }) => hashSource(text));
}

function elements(html: string, name: string): readonly { attributes: string; text: string }[] {
  return [...html.matchAll(new RegExp(`<${name}\\b([^>]*)>([^]*?)</${name}>`, 'g'))].map(
    ([, attributes = '', text = '']) => ({ attributes, text }),
  );
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
