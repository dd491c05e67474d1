import { type DemoRun, demoRuns, HOUR, MINUTE, within } from './demo-tenant.js';

/** A travel agency, whose bookings are orders of the same shop. */
export function northwindRuns(): readonly DemoRun[] {
  const { runs, add } = demoRuns('bookings', 'NW', 7310);
  add(
    ['N-3104', 'Hannah Vogel'],
    'e-mail',
    'I am in hospital and cannot go to Lisbon. Please cancel and refund my booking.',
    within(4 * HOUR),
  );
  add(
    ['N-3110', 'Erik Dahl'],
    'chat',
    'My flight to Oslo was cancelled, so I never slept there. Can I have my money back?',
    within(35 * MINUTE),
  );
  add(['N-3117', 'Camille Laurent'], 'chat', 'When do I get my documents for Vienna?');
  add(
    ['N-3121', 'Rui Carvalho'],
    'e-mail',
    'The hotel in Porto gave us a different room, without a window. We want a refund of $180.00.',
    { next: { type: 'approve', message: 'The hotel confirmed the wrong room.' } },
  );
  add(['N-3128', 'Maarja Tamm'], 'chat', 'We changed our minds about Tallinn. Refund, please.', {
    next: { type: 'reject', message: 'Booked at the rate that cannot be cancelled.' },
  });
  add(['N-3117', 'Camille Laurent'], 'e-mail', 'I have attached my passport for the booking to Vienna.');
  return runs;
}
