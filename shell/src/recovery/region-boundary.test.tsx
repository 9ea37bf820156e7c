import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { RegionBoundary } from './region-boundary.tsx';

function Throws(): never {
  throw new Error('broken');
}

test('region boundary: a failed region is empty, and others stay', () => {
  const errors: unknown[] = [];
  const region = (children: ReactNode) => (
    <RegionBoundary onError={(error) => errors.push(error)}>{children}</RegionBoundary>
  );
  const { container } = render(
    <>
      {region(<Throws />)}
      {region(<p>Whole</p>)}
    </>,
    { onCaughtError: () => undefined },
  );
  expect(container).toHaveTextContent('Whole');
  expect(errors).toEqual([new Error('broken')]);
});
