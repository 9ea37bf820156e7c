/// <reference lib="dom" />
import '@countersign/design-tokens/base.css';
import './gallery.css';

const frames = [...document.querySelectorAll('iframe')];
const calls = document.querySelector('#calls');
const maxCalls = 50;
/** Highest frame, in CSS pixels. Content that is sized by its window would otherwise grow with its frame for ever. */
const maxHeight = 5000;

// The frames read events here, because a browser opens at most six HTTP/1.1 connections to a server.
const channel = new BroadcastChannel('events');
new EventSource(document.body.dataset['events'] ?? '').addEventListener(
  'message',
  ({ data }: MessageEvent<string>) => {
    channel.postMessage(data);
    if (data.includes('"built"'))
      frames.filter(hasFailed).forEach((frame) => (frame.src = String(frame.src)));
  },
);

/** Whether a frame shows no component, because its build or the component failed. Then no update reaches it. */
function hasFailed({ contentDocument }: HTMLIFrameElement): boolean {
  return !contentDocument?.querySelector('body > div > *');
}

// A component uses the page.
addEventListener('call', (event) => {
  const { call, frame } = (event as CustomEvent<{ readonly call: string; readonly frame: string }>).detail;
  const item = document.createElement('li');
  item.append(
    Object.assign(document.createElement('code'), { textContent: call }),
    Object.assign(document.createElement('span'), { textContent: frame }),
  );
  calls?.prepend(item);
  calls?.children[maxCalls]?.remove();
});

const sizes = new ResizeObserver(() => frames.forEach(fit));
sizes.observe(document.body);
for (const frame of frames) {
  frame.addEventListener('load', () => {
    if (frame.contentDocument) sizes.observe(frame.contentDocument.body);
  });
}

/** Gives a frame the height of its content, and scales it to the width of its figure. */
function fit(frame: HTMLIFrameElement): void {
  const { contentDocument, parentElement: figure } = frame;
  if (!contentDocument?.body || !figure) return;
  const scale = Math.min(1, figure.clientWidth / Number(frame.width));
  const height = Math.min(contentDocument.body.offsetHeight, maxHeight);
  frame.style.height = `${height}px`;
  frame.style.transform = `scale(${scale})`;
  // Scaling does not change the layout.
  frame.style.marginBlockEnd = `${height * (scale - 1)}px`;
}
