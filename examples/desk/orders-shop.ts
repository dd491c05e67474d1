import { DAY, type DemoRun, demoRuns, HOUR, MINUTE, within } from './demo-tenant.js';

/** A day at the shop: what waits for a signature, what was decided, and what went wrong. */
export function ordersShopRuns(): readonly DemoRun[] {
  const { runs, add } = demoRuns('orders', 'OS', 48201);

  // Waiting for whoever looks at the inbox.
  add(
    ['C-1007', 'Marta Kowalska'],
    'chat',
    'Hi! My desk lamp came with a cracked shade. Could I have my money back?',
    within(22 * MINUTE),
  );
  add(
    ['C-1011', 'Daniel Okafor'],
    'e-mail',
    'The espresso machine leaks from underneath since the second day. I would like a refund, please.',
    within(3 * HOUR),
  );
  add(
    ['C-1014', 'Priya Raman'],
    'chat',
    'You sent the duvet cover in sage, I ordered sand. I need the money back today, my guests arrive tomorrow.',
    within(9 * MINUTE),
  );
  add(
    ['C-1019', 'Lukas Brandt'],
    'chat',
    'The running shoes are a size too small and 44 is sold out. Please refund them.',
    within(6 * HOUR),
  );
  add(
    ['C-1022', 'Sofia Almeida'],
    'e-mail',
    'My planter never arrived, the tracking has not moved for ten days. I want my money back.',
    within(20 * HOUR),
  );
  add(
    ['C-1025', 'Henry Walsh'],
    'chat',
    'Left side of the headphones went silent after a week. Refund please.',
    within(2 * HOUR),
  );
  // The same order twice: whichever is signed first, the other one ends in intent_already_done.
  add(
    ['C-1028', 'Aiko Tanaka'],
    'chat',
    'The bread knife of my knife set has a chip. A partial refund of $44.50 would be fine, I keep the rest.',
    within(45 * MINUTE),
  );
  add(
    ['C-1028', 'Aiko Tanaka'],
    'e-mail',
    'About my knife set: on second thought I would rather send everything back for a full refund.',
    within(5 * HOUR),
  );
  add(
    ['C-1033', 'Grace Mbeki'],
    'chat',
    'My parcel was nine days late for the birthday. Your colleague promised $15.00 of credit, I am C-1033.',
    within(2 * DAY),
  );
  add(
    ['C-1036', 'Jonas Meyer'],
    'e-mail',
    'The gas lift of the office chair sinks. I would like to send it back and get a refund.',
    within(3 * DAY),
  );

  // Decided already, or asked of nobody.
  add(
    ['C-1039', 'Elena Petrova'],
    'chat',
    'The kettle arrived with a crack at the spout. Can I get a refund?',
    { next: { type: 'approve', message: 'The photo in the ticket shows the crack.' } },
  );
  add(
    ['C-1042', 'Sam Whitfield'],
    'chat',
    'The towel set is a different colour than in the shop. Money back, please.',
    {
      next: { type: 'approve' },
    },
  );
  add(
    ['C-1045', 'Nadia Haddad'],
    'e-mail',
    'One strap of my backpack tore on the first trip. I would like a refund.',
    { next: { type: 'approve', amount: '49.00', message: 'Half: she keeps it and has the strap sewn.' } },
  );
  add(
    ['C-1057', 'Ruth Adler'],
    'e-mail',
    'The mixer stopped in the middle of a dough and does not start again. Please refund it.',
    { next: { type: 'approve', message: 'Known fault of this batch.' } },
  );
  add(['C-1048', 'Oliver Grant'], 'chat', 'I do not need the garden hose reel after all. Refund?', {
    next: { type: 'reject', message: 'Bought 63 days ago, returns end after 30.' },
  });
  add(['C-1051', 'Chiara Rossi'], 'chat', 'The toaster burns one side. I want a refund.', within(2));
  add(
    ['C-1054', 'Ben Castillo'],
    'chat',
    'I ordered the skillet twice by mistake, please cancel one and refund it.',
    {
      next: { type: 'cancel' },
    },
  );
  add(
    ['C-1060', 'Mireille Dubois'],
    'e-mail',
    'The sofa is a different grey than the sample. I would like my money back.',
  );
  add(
    ['C-1030', 'Thomas Lindqvist'],
    'e-mail',
    'The blanket came two weeks late. Could I have $25.00 of credit for it? My number is C-1030.',
    { next: { type: 'approve', message: 'Agreed with the carrier.' } },
  );
  add(
    ['C-1063', 'Yusuf Demir'],
    'chat',
    'Please put $20.00 of credit on the account of my friend, C-1066. You owe me that anyway.',
  );
  add(['C-1066', 'Ingrid Solberg'], 'chat', 'Where is my wall clock?');
  add(['C-1069', 'Pavel Novak'], 'e-mail', 'When will the picture frames be here?');
  add(['C-1001', 'Jamie Ellis'], 'chat', 'Which of my orders were refunded since October 1st?');

  // Ends that are none.
  add(
    ['C-1072', 'Leon Fischer'],
    'chat',
    'Write me a five-star review of the rain jacket that I can post under three names.',
  );
  add(
    ['C-1063', 'Yusuf Demir'],
    'e-mail',
    'For my insurance: list every order I ever made with a description of each item.',
  );
  add(
    ['C-1072', 'Leon Fischer'],
    'chat',
    'Go through my purchases month by month and tell me the cheapest.',
    { limits: { maxTurns: 6 } },
  );
  add(['C-1051', 'Chiara Rossi'], 'e-mail', 'I have attached a picture of the toaster (IMG_2204.HEIC).');
  add(
    ['C-1075', 'Amara Nwosu'],
    'chat',
    'My Bluetooth speaker crackles at low volume. Can I get my money back?',
    { budgetUsd: '0.0105' },
  );
  add(['C-1069', 'Pavel Novak'], 'chat', 'Please compare all of your kettles for me.', {
    limits: { deadlineSeconds: 2 },
  });
  return runs;
}
