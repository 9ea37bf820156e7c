/// <reference lib="dom" />
import '@countersign/design-tokens/base.css';
import './gallery.css';

/** A call of the page by a component. */
export interface GalleryCall {
  /** Function of `ShellApi`, or `link` or `form` for what would leave the component's page. */
  readonly method: string;
  readonly values: readonly unknown[];
  /** Frame that the call comes from, such as `./pricing, dark, 390 px`. */
  readonly frame: string;
}

/** Events of the development server, as much of `EventSource` as its client needs. */
interface SharedEvents {
  addEventListener(type: string, listener: (event: Event) => void): void;
  close(): void;
}

/** What the gallery does for its frames. */
export interface Gallery {
  /** One connection for all frames, because a browser opens at most six HTTP/1.1 connections to a server. */
  shareEvents(url: string): SharedEvents;
  showCall(call: GalleryCall): void;
}

const connections = new Map<string, EventSource>();

function shareEvents(url: string): SharedEvents {
  const connection = connections.get(url) ?? new EventSource(url);
  connections.set(url, connection);
  const closing = new AbortController();
  return {
    addEventListener: (type, listener) =>
      connection.addEventListener(type, listener, { signal: closing.signal }),
    close: () => closing.abort(),
  };
}

const calls = element('#calls');
const maxCalls = 50;

function showCall({ method, values, frame }: GalleryCall): void {
  const item = document.createElement('li');
  const code = document.createElement('code');
  code.textContent = `${method}(${values.map(textOf).join(', ')})`;
  const place = document.createElement('span');
  place.textContent = frame;
  item.append(code, place);
  calls.prepend(item);
  calls.children[maxCalls]?.remove();
}

/** A value as JSON. No function of `ShellApi` throws, also if a handler passes its event on, which refers to itself. */
function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

/** Highest frame, in CSS pixels. Content that is sized by its window would otherwise grow with its frame for ever. */
const maxHeight = 5000;

/** Gives a frame the height of its content, and scales it to the width of its figure. */
function fit(frame: HTMLIFrameElement, box: HTMLElement, figure: Element, content: HTMLElement): void {
  const scale = Math.min(1, figure.clientWidth / Number(frame.width));
  const height = Math.min(content.offsetHeight, maxHeight);
  frame.style.height = `${height}px`;
  frame.style.transform = `scale(${scale})`;
  box.style.width = `${Number(frame.width) * scale}px`;
  box.style.height = `${height * scale}px`;
}

for (const frame of document.querySelectorAll('iframe')) {
  const box = frame.parentElement;
  const figure = box?.parentElement;
  let observer: ResizeObserver | undefined;
  frame.addEventListener('load', () => {
    const content = frame.contentDocument?.body;
    if (!box || !figure || !content) return;
    // A frame that was loaded again has another body.
    observer?.disconnect();
    observer = new ResizeObserver(() => fit(frame, box, figure, content));
    observer.observe(figure);
    observer.observe(content);
  });
}

function element(selector: string): Element {
  const found = document.querySelector(selector);
  if (!found) throw new Error(`The gallery has no ${selector}.`);
  return found;
}

Object.assign(globalThis, { gallery: { shareEvents, showCall } satisfies Gallery });
