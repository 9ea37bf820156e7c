import { createHash } from 'node:crypto';
import type { RefusalReason, RenderReport } from '../render-report.ts';

type Refusal = RenderReport['refused'][number];

/** A page's Content Security Policy, and its violations so far. */
export interface PagePolicy {
  readonly refused: readonly Refusal[];
  /** Names of the Trusted Types policies that scripts may create. */
  readonly policyNames: readonly string[];
  refuse(reason: RefusalReason, what: string): void;
  /** Why a browser blocks a file that is requested with these hashes; `undefined` if it is allowed. */
  reasonAgainst(kind: 'script' | 'style', integrity: string, content: Uint8Array): RefusalReason | undefined;
  /** Whether the policy allows an inline script or stylesheet. */
  allowsInline(kind: 'script' | 'style', text: string): boolean;
}

/** Parses the policy in a page's `<meta>` element. */
export function readPagePolicy(html: string): PagePolicy {
  const [, text = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  const directives = new Map(
    text.split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      return [name, sources] as const;
    }),
  );
  const hashes = {
    script: new Set(directives.get('script-src')),
    style: new Set(directives.get('style-src')),
  };
  const refused: Refusal[] = [];
  return {
    refused,
    policyNames: directives.get('trusted-types') ?? [],
    refuse(reason, what) {
      if (refused.length < 100) refused.push({ reason, what: what.slice(0, 500) });
    },
    reasonAgainst(kind, integrity, content) {
      const asked = integrity.split(/\s+/).filter((word) => /^sha(256|384|512)-/.test(word));
      if (asked.length === 0) return 'no-hash';
      if (kind === 'script' && !asked.every((hash) => hashes.script.has(`'${hash}'`))) return 'unknown-hash';
      return asked.includes(hashOf(asked[0]?.slice(0, 6) ?? '', content)) ? undefined : 'other-content';
    },
    allowsInline: (kind, inline) =>
      hashes[kind].has(`'${hashOf('sha256', new TextEncoder().encode(inline))}'`),
  };
}

function hashOf(algorithm: string, content: Uint8Array): string {
  return `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`;
}
