import { timeLeft } from './time-left';

const NOW = Date.parse('2026-10-21T09:00:00.000Z');
const inSeconds = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString();

test.each([
  [-1, 'expired', 'over'],
  [0, 'expired', 'over'],
  [1, '0:01', 'soon'],
  [130, '2:10', 'soon'],
  [299, '4:59', 'soon'],
  [300, '5 min', 'calm'],
  [23 * 60 + 59, '23 min', 'calm'],
  [4 * 3600 + 3599, '4 h', 'calm'],
  [47 * 3600, '47 h', 'calm'],
  [3 * 86_400 + 5, '3 d', 'calm'],
])('%d s before the expiry it says %s, %s', (seconds, text, urgency) => {
  expect(timeLeft(inSeconds(seconds), NOW)).toEqual({ text, urgency });
});
