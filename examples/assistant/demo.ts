import { type Print, playRun } from '../play-run.js';
import type { ProductClient } from '../product-client.js';

/** Plays scenario 4: three calls side by side, then three turns that build on each other. */
export async function demonstrateAssistant(product: ProductClient, print: Print): Promise<void> {
  const ask = (input: string) => playRun(product, print, { agent: 'assistant', input });
  print(
    '# Three questions at once: three calls in one turn, run side by side, results in the order of the calls.',
  );
  await ask("What day is it, how much is 150 * 3, and what's the weather in Bogotá?");
  print('');
  print('# One answer is part of the next question: one call a turn.');
  await ask('Temperature in Madrid times 3');
}
