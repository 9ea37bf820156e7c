// Parts use it. This host only does in production, and provides only what it uses.
import 'react/jsx-runtime';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { PartBoundary } from './part-boundary';
import { shellApi } from './shell-api';

declare const PARTS_ORIGIN: string;

const Pricing = lazy(() => import('mf-pricing/pricing'));

/** What parts expect of the page's own styles. */
const baseStyles = `
*, ::before, ::after { box-sizing: border-box }
:where(h1, h2, h3, h4, p, ul, ol, dl, dd, figure, blockquote) { margin: 0 }
:where(button, input, textarea, select) { font: inherit; color: inherit }
body { margin: 0; font: var(--text-md) / var(--leading-normal) var(--font-sans); color: var(--color-text); background: var(--color-background) }
`;

function Intranet() {
  return (
    <>
      <link rel="stylesheet" href={`${PARTS_ORIGIN}/design-tokens.css`} precedence="default" />
      <style href="base-styles" precedence="default">
        {baseStyles}
      </style>
      <h1>Intranet</h1>
      <PartBoundary name="The price list">
        <Suspense fallback={<p>Loading the price list …</p>}>
          <Pricing shell={shellApi} />
        </Suspense>
      </PartBoundary>
    </>
  );
}

const root = document.body.appendChild(document.createElement('div'));
createRoot(root).render(
  <StrictMode>
    <Intranet />
  </StrictMode>,
);
