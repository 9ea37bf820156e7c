import type { PartManifest } from '@countersign/contracts/part-manifest';
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { ReleaseError } from '../platform/release-error.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';
const xhtmlNamespace = 'http://www.w3.org/1999/xhtml';

/**
 * Throws a {@link ReleaseError} if an SVG image of a remote contains more than a drawing. Opened by its URL, an image is a document of
 * the site: its scripts can read everything that the site's can, and its links and forms look like the site's.
 *
 * @param files path in the build → content
 */
export function assertSafeImages(
  { name, version }: PartManifest,
  files: ReadonlyMap<string, Uint8Array>,
): void {
  if (name === 'shell') return;
  for (const [file, bytes] of files) {
    const problem = file.toLowerCase().endsWith('.svg') ? problemIn(bytes) : undefined;
    if (problem !== undefined) {
      throw new ReleaseError(
        `${name} ${version} cannot be published: ${file} ${problem}. Export it as a plain SVG, or use another format.`,
      );
    }
  }
}

function problemIn(bytes: Uint8Array): string | undefined {
  const problems: string[] = [];
  const add = (problem: string | undefined) => void (problem !== undefined && problems.push(problem));
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const [, encoding = 'utf-8'] = /^<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)/.exec(text) ?? [];
    if (encoding.toLowerCase() !== 'utf-8') return 'is not encoded in UTF-8';
    if (/<!ENTITY/i.test(text)) return 'defines an entity';
    const parser = new SaxesParser({ xmlns: true });
    let depth = 0;
    parser.on('processinginstruction', () => add(depth === 0 ? 'loads a stylesheet' : undefined));
    parser.on('opentag', (element) => {
      add(problemOf(element, depth === 0));
      depth += 1;
    });
    parser.on('closetag', () => (depth -= 1));
    // Its errors are thrown, because it has no handler of them.
    parser.write(text).close();
  } catch {
    // Browsers show what precedes the error.
    return 'is not valid XML in UTF-8';
  }
  return problems[0];
}

function problemOf({ local, uri, attributes }: SaxesTagNS, isRoot: boolean): string | undefined {
  const isDrawing = uri === svgNamespace && !/^(script|foreignObject|handler|listener)$/.test(local);
  const isMetadata = uri !== svgNamespace && uri !== xhtmlNamespace && !isRoot;
  if (!isDrawing && !isMetadata) return `contains <${local}>`;
  if (/^(.*:)?href$/.test(attributes['attributeName']?.value.trim() ?? '')) return 'animates a link';
  for (const attribute of Object.values(attributes)) {
    if (/^on/i.test(attribute.local)) return `contains the attribute ${attribute.local}`;
    const isImage = /^(#|data:image\/(avif|gif|jpeg|png|webp)[;,])/.test(attribute.value);
    if (attribute.local === 'href' && !isImage) return 'contains a link';
  }
  return undefined;
}
