import type { PartManifest } from '@countersign/contracts/part-manifest';
import { ReleaseError } from '../platform/release-error.ts';

const svgNamespace = 'http://www.w3.org/2000/svg';
const xhtmlNamespace = 'http://www.w3.org/1999/xhtml';

/**
 * Throws a {@link ReleaseError} if an SVG image of a remote contains more than a drawing. Opened by its URL, an image is a document of
 * the site: its scripts can read everything that the site's can, and its links and forms look like the site's.
 *
 * @param files path in the build → content
 */
export async function assertSafeImages(
  { name, version }: PartManifest,
  files: ReadonlyMap<string, Uint8Array>,
): Promise<void> {
  if (name === 'shell') return;
  const images = [...files].filter(([file]) => file.toLowerCase().endsWith('.svg'));
  if (images.length === 0) return;
  // Imported on demand, because it loads slowly and few parts have such images.
  const { JSDOM } = await import('jsdom');
  const parse = (text: string) => new JSDOM(text, { contentType: 'image/svg+xml' }).window.document;
  for (const [file, bytes] of images) {
    const problem = problemIn(bytes, parse);
    if (problem !== undefined) {
      throw new ReleaseError(
        `${name} ${version} cannot be published: ${file} ${problem}. Export it as a plain SVG, or use another format.`,
      );
    }
  }
}

function problemIn(bytes: Uint8Array, parse: (text: string) => Document): string | undefined {
  let document: Document;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const [, encoding = 'utf-8'] = /^<\?xml[^>]*\sencoding\s*=\s*["']([^"']*)/.exec(text) ?? [];
    if (encoding.toLowerCase() !== 'utf-8') return 'is not encoded in UTF-8';
    if (/<!ENTITY/i.test(text)) return 'defines an entity';
    document = parse(text);
  } catch {
    // Browsers show what precedes the error.
    return 'is not valid XML in UTF-8';
  }
  if ([...document.childNodes].some((node) => node.nodeType === node.PROCESSING_INSTRUCTION_NODE)) {
    return 'loads a stylesheet';
  }
  for (const element of document.querySelectorAll('*')) {
    const { localName, namespaceURI } = element;
    const isDrawing =
      namespaceURI === svgNamespace && !/^(script|foreignObject|handler|listener)$/.test(localName);
    const isMetadata = namespaceURI !== svgNamespace && namespaceURI !== xhtmlNamespace;
    if (!(isDrawing || (isMetadata && element !== document.documentElement)))
      return `contains <${localName}>`;
    if (/^(.*:)?href$/.test(element.getAttribute('attributeName')?.trim() ?? '')) return 'animates a link';
    for (const attribute of element.attributes) {
      if (/^on/i.test(attribute.localName)) return `contains the attribute ${attribute.localName}`;
      if (
        attribute.localName === 'href' &&
        !/^(#|data:image\/(avif|gif|jpeg|png|webp)[;,])/.test(attribute.value)
      ) {
        return 'contains a link';
      }
    }
  }
  return undefined;
}
