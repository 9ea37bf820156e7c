import type { Visitor } from './engine.ts';
import { expect, test } from './engine-test.ts';

const top = 4000;

/** The scroll position after the next load of the page. Undefined until then, because queries fail during a navigation. */
const placeAfter = (visitor: Visitor, load: number) => async () =>
  visitor
    .run(
      (previous) =>
        performance.timeOrigin !== previous &&
        location.pathname === '/' &&
        document.readyState === 'complete' &&
        !document.getElementById('splash')
          ? Math.round(scrollY)
          : undefined,
      load,
    )
    .catch(() => undefined);

const currentLoad = (visitor: Visitor) => visitor.run(() => performance.timeOrigin);

for (const path of ['/', '/#pricing'] as const) {
  test(`engine: reload and Back at ${path} restore the scroll position`, async ({
    site,
    visit: { visitor },
  }) => {
    await visitor.open(`${site.url}${path}`);
    const message = 'the scroll position';
    await expect.poll(placeAfter(visitor, 0)).toEqual(expect.any(Number));
    await visitor.run((place) => scrollTo({ top: place, behavior: 'instant' }), top);

    const first = await currentLoad(visitor);
    await visitor.run(() => void setTimeout(() => location.reload()));
    await expect.poll(placeAfter(visitor, first), { message, timeout: 20_000 }).toBe(top);

    await visitor.open(`${site.url}/no/such/page`);
    const other = await currentLoad(visitor);
    await visitor.run(() => void setTimeout(() => history.back()));
    await expect.poll(placeAfter(visitor, other), { message, timeout: 20_000 }).toBe(top);
  });
}
