import { render, screen } from '@testing-library/react';
import Workflow from './workflow.tsx';

const workflows = [
  {
    name: 'Template workflow',
    claims: [/organisations/, /notifications/i, /deadlines/, /audit trail/],
  },
  {
    name: 'API-first flow',
    claims: [/our cloud storage, or in your own storage/],
  },
  {
    name: 'Multi-party sequential signing',
    claims: [
      /signing order/,
      /email notifications/i,
      /secure links/,
      /progress/i,
      /final document .* audit trail/,
    ],
  },
];

test.each(workflows)('workflow: $name lists its benefits', ({ name, claims }) => {
  render(<Workflow />);
  for (const claim of claims) expect(screen.getByRole('article', { name })).toHaveTextContent(claim);
});

test('workflow: a link to the API can focus it without changing the markup', () => {
  render(<Workflow />);
  expect(screen.getByRole('article', { name: 'API-first flow' })).toHaveAttribute('tabindex', '-1');
});
