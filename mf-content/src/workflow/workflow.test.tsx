import { render, screen, within } from '@testing-library/react';
import Workflow from './workflow.tsx';

const workflows = [
  {
    name: 'Template workflow',
    steps: ['Create templates', 'Send to employees', 'Review and approve'],
    claims: [/organisations/, /notifications/i, /deadlines/, /audit trail/],
  },
  {
    name: 'API-first flow',
    steps: ['Create a document', 'Choose the storage', 'Receive webhook updates'],
    claims: [/our cloud storage, or in your own storage/],
  },
  {
    name: 'Multi-party sequential signing',
    steps: ['Upload', 'Add signers', 'Notify', 'Sign in order', 'Complete'],
    claims: [
      /signing order/,
      /email notifications/i,
      /secure links/,
      /progress/i,
      /final document .* audit trail/,
    ],
  },
];

test.each(workflows)('workflow: $name shows its steps in order', ({ name, steps }) => {
  render(<Workflow />);
  const track = within(screen.getByRole('article', { name }));
  expect(track.getByRole('heading', { level: 3, name })).toBeVisible();
  const items = within(track.getByRole('list')).getAllByRole('listitem');
  expect(items.map((item) => item.querySelector('p')?.textContent)).toEqual(steps);
});

test.each(workflows)('workflow: $name lists its benefits', ({ name, claims }) => {
  render(<Workflow />);
  for (const claim of claims) expect(screen.getByRole('article', { name })).toHaveTextContent(claim);
});

test('workflow: the API request and the webhook are shown as code', () => {
  render(<Workflow />);
  const request = screen.getByText('Your request', { selector: 'figcaption' }).nextElementSibling;
  const webhook = screen.getByText('Our webhook', { selector: 'figcaption' }).nextElementSibling;
  expect(request).toHaveTextContent(/^POST \/v1\/documents HTTP\/1\.1 Host: /);
  expect(webhook).toHaveTextContent(/"event": "signer\.signed"/);
});

test('workflow: one section heading, above the three workflows', () => {
  render(<Workflow />);
  const heading = screen.getByRole('heading', { level: 2 });
  const region = within(screen.getByRole('region', { name: heading.textContent }));
  expect(region.getAllByRole('article')).toHaveLength(3);
});

test('workflow: a link to the API can focus it without changing the markup', () => {
  render(<Workflow />);
  expect(screen.getByRole('article', { name: 'API-first flow' })).toHaveAttribute('tabindex', '-1');
});
