import type { BrowserContext, Page } from '@playwright/test';

/** Target of all links that sign in or start a trial. */
export const loginAddress = 'https://app.countersign.example/login';

const application = 'https://app.countersign.example/**';

/** Stub of the application behind the login, which is not part of the site. */
export async function standInForApplication(target: BrowserContext | Page): Promise<void> {
  await target.route(application, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>The application</title>' }),
  );
}

/** Responds without a page, so that the browser stays on the current one, as before any response. */
export async function withholdApplication(target: BrowserContext | Page): Promise<void> {
  await target.route(application, (route) => route.fulfill({ status: 204 }));
}
