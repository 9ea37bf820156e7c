import { expect, test, type Locator, type Page } from '@playwright/test';

/** The sections from top to bottom, each located by a unique element. */
const sections = {
  header: (page: Page) => page.getByRole('banner'),
  hero: (page: Page) => page.getByRole('heading', { level: 1 }),
  trust: (page: Page) => page.getByText('50,000+'),
  platforms: (page: Page) => page.getByText('Available Now'),
  features: (page: Page) => page.locator('section#features'),
  workflow: (page: Page) => page.locator('#api'),
  'multi-party signing': (page: Page) => page.getByRole('figure').filter({ hasText: 'Waiting' }),
  'why choose us': (page: Page) => page.getByRole('heading', { name: 'Why Choose Us' }),
  pricing: (page: Page) => page.locator('section#pricing'),
  testimonials: (page: Page) => page.getByRole('blockquote').first(),
  'call to action': (page: Page) => page.locator('section#contact'),
  footer: (page: Page) => page.getByRole('contentinfo'),
} as const;

const sectionWith = (page: Page, content: Locator) => page.getByRole('region').filter({ has: content });

/** Expects the sections in order, each once and with its anchor. */
export async function expectSections(page: Page): Promise<void> {
  const tops: [string, number][] = [];
  for (const [name, find] of Object.entries(sections)) {
    const box = await find(page).boundingBox();
    expect.soft(box, name).not.toBeNull();
    if (box) tops.push([name, box.y]);
  }
  tops.sort(([, a], [, b]) => a - b);
  expect(tops.map(([name]) => name)).toEqual(Object.keys(sections));

  for (const id of ['features', 'api', 'pricing', 'contact']) {
    await expect.soft(page.locator(`[id="${id}"]`)).toHaveCount(1);
  }
}

/** Expects the claims of the specification in their sections. */
export async function expectClaims(page: Page): Promise<void> {
  await test.step('hero and call to action promise a trial without risk', async () => {
    const promises = ['30-day free trial', 'No credit card required'];
    const hero = sectionWith(page, sections.hero(page)).getByRole('listitem');
    await expect.soft(hero).toHaveText([...promises, 'Setup in minutes']);
    const contact = page.locator('#contact').getByRole('listitem');
    await expect.soft(contact).toHaveText([...promises, 'Setup in 5 minutes']);
  });

  await test.step('trust indicators name the certifications', async () => {
    const trust = sectionWith(page, page.getByText('50,000+'));
    await expect.soft(trust.getByText('Trusted by 50,000+ organisations')).toBeVisible();
    for (const name of ['SOC 2', 'ISO 27001', 'GDPR', '256-bit SSL']) {
      await expect.soft(trust.getByRole('listitem').filter({ hasText: name })).toHaveCount(1);
    }
  });

  await test.step('platforms say what is there and what is coming', async () => {
    const platforms = sectionWith(page, page.getByText('Available Now')).getByRole('listitem');
    await expect
      .soft(platforms)
      .toHaveText([/Web.*Available Now/, /iOS.*Coming Soon/, /Android.*Coming Soon/]);
  });

  await test.step('the features are all there', async () => {
    const features = page.locator('#features').getByRole('listitem');
    for (const words of [
      ['Digital signatures', 'audit trails'],
      ['form', 'Conditional fields', 'Drag and drop builder'],
      ['Secure sharing', 'Password protection', 'Expiration dates', 'View tracking'],
      ['Document collections'],
      ['Team collaboration', 'Role-based access', 'Real-time updates', 'Comments'],
      ['API', 'RESTful', 'Webhooks', 'SDK', 'Direct API'],
      ['Centralised secure vault', 'Tracking', 'Access controls'],
      ['One-click sharing', 'Smart permissions', 'automated notifications'],
      ['Data-driven productivity insights'],
      ['Unlimited signers'],
      ['Enterprise security'],
    ]) {
      const naming = words.reduce((found, word) => found.filter({ hasText: word }), features);
      await expect.soft(naming, words.join(', ')).not.toHaveCount(0);
    }
  });

  await test.step('each workflow is explained step by step', async () => {
    const workflow = sectionWith(page, page.locator('#api'));
    const steps = {
      'Template workflow': [/Create templates/, /Notifications.*deadlines/, /approve.*audit trail/],
      'API-first flow': [/./, /cloud storage.*own storage/, /webhook updates/],
      'Multi-party sequential signing': [
        /Upload/,
        /Add signers.*signing order/,
        /Email notifications.*secure links/,
        /Sign in order.*Progress tracking/,
        /final document.*audit trail/,
      ],
    };
    for (const [name, words] of Object.entries(steps)) {
      await expect.soft(workflow.getByRole('article', { name }).getByRole('listitem')).toHaveText(words);
    }
    await expect.soft(page.locator('#api')).toContainText('API-first flow');
  });

  await test.step('the sample document is in progress: one has signed, one is asked, one waits', async () => {
    const sample = page.getByRole('figure').filter({ hasText: 'In Progress' });
    await expect.soft(sample).toHaveCount(1);
    await expect.soft(sample.getByRole('listitem')).toHaveText([/Signed$/, /Pending$/, /Waiting$/]);
  });

  await test.step('three people recommend the product, with five stars, name, title and avatar', async () => {
    const testimonials = sectionWith(page, page.getByRole('blockquote')).getByRole('listitem');
    await expect.soft(testimonials).toHaveCount(3);
    for (const testimonial of await testimonials.all()) {
      const rating = testimonial.getByRole('img', { name: 'Rated 5 out of 5' });
      await expect.soft(rating.locator('svg')).toHaveCount(5);
      await expect.soft(testimonial.getByRole('blockquote')).toContainText(/\w+(\s+\S+){5,}/);
      // Initials, name and title.
      const person = testimonial.locator('figcaption');
      await expect.soft(person).toHaveText(/^(\p{Lu})(\p{Lu})\1\S+ \2\S+.+/u);
    }
  });
}

/** Expects the comparisons of Why Choose Us. */
export async function expectComparison(page: Page): Promise<void> {
  const section = sectionWith(page, page.getByRole('heading', { name: 'Why Choose Us' }));
  const cards = {
    'Time to revenue': ['15 days average', '3 days', '80% faster'],
    'Monthly cost': ['$2,400', '$299', 'Savings $2,101'],
    'Convenience score': ['9.4/10', '3.2/10', 'Email'],
  };
  await expect.soft(section.getByRole('heading', { level: 3 })).toContainText(Object.keys(cards));
  for (const [title, figures] of Object.entries(cards)) {
    const card = section.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) });
    for (const figure of figures) await expect.soft(card.getByText(figure, { exact: true })).toBeVisible();
  }
  for (const claim of [
    /156\s+hours saved per month/,
    /Carbon footprint\s+-89%/,
    /2,847\s+trees saved annually/,
    /94%\s+less paper/,
    /12\.3 tons\s+CO2 prevented/,
  ]) {
    await expect.soft(section).toContainText(claim);
  }
}

/** Groups of the footer and their links. */
export const footerGroups = {
  Product: ['Features', 'Pricing', 'API Documentation', 'Integrations'],
  Company: ['About', 'Blog', 'Careers', 'Contact'],
  Support: ['Help Center', 'Security', 'Privacy Policy', 'Terms of Service'],
} as const;

/** Expects the groups of the footer and its copyright line. */
export async function expectFooter(page: Page): Promise<void> {
  const footer = page.getByRole('contentinfo');
  await expect(footer.getByText('© 2024 Countersign')).toBeVisible();
  await expect(footer.getByRole('heading')).toHaveText(Object.keys(footerGroups));
  for (const [group, labels] of Object.entries(footerGroups)) {
    const items = footer.getByRole('list', { name: group }).getByRole('listitem');
    await expect(items).toHaveText(labels.map((label) => new RegExp(`^${label}`)));
  }
}
