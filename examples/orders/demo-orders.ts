import type { Order } from './order.js';

type Sold = readonly [customerId: string, item: string, total: string, daysAgo: number];

/** What customers of the demonstration have bought, with how many days ago. Orders are numbered from 1001. */
const SOLD: readonly Sold[] = [
  ['C-1007', 'Brass desk lamp', '89.00', 6],
  ['C-1011', 'Espresso machine', '249.00', 11],
  ['C-1014', 'Linen duvet cover', '129.00', 9],
  ['C-1019', 'Trail running shoes', '74.95', 5],
  ['C-1022', 'Ceramic planter', '39.50', 16],
  ['C-1025', 'Noise-cancelling headphones', '319.00', 8],
  ['C-1028', 'Chef knife set', '118.00', 7],
  ['C-1030', 'Merino blanket', '96.00', 13],
  ['C-1033', 'Board game night bundle', '64.00', 12],
  ['C-1036', 'Ergonomic office chair', '412.00', 10],
  ['C-1039', 'Electric kettle', '59.90', 4],
  ['C-1042', 'Bath towel set', '34.00', 15],
  ['C-1045', 'Canvas backpack', '98.00', 20],
  ['C-1048', 'Garden hose reel', '54.50', 63],
  ['C-1051', 'Two-slot toaster', '44.90', 6],
  ['C-1054', 'Cast-iron skillet', '62.00', 3],
  ['C-1057', 'Stand mixer', '228.00', 9],
  ['C-1060', 'Three-seat sofa', '1249.00', 18],
  ['C-1063', 'Yoga mat', '29.00', 2],
  ['C-1066', 'Wall clock', '48.00', 1],
  ['C-1069', 'Picture frames, set of six', '36.00', 5],
  ['C-1072', 'Rain jacket', '139.00', 30],
  ['C-1075', 'Bluetooth speaker', '84.00', 22],
  ['N-3104', 'Lisbon, three nights', '640.00', 12],
  ['N-3110', 'Oslo, one night', '212.50', 5],
  ['N-3117', 'Vienna, two nights', '388.00', 3],
  ['N-3121', 'Porto, four nights', '716.00', 21],
  ['N-3128', 'Tallinn, two nights', '264.00', 17],
];

/** The orders that the shop opens with on `today` (YYYY-MM-DD), beside those of the scenario. */
export function demoOrders(today: string): readonly Order[] {
  return SOLD.map(([customerId, item, total, daysAgo], index): Order => {
    const date = new Date(Date.parse(today) - daysAgo * 86_400_000).toISOString().slice(0, 10);
    return { orderId: 1001 + index, customerId, item, status: 'shipped', total, date };
  });
}
