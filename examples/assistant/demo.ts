import { playRun, type Stage } from '../play-run.js';

/** Plays scenario 4: three calls side by side, then three turns that build on each other. */
export async function demonstrateAssistant(stage: Stage): Promise<void> {
  const { print } = stage;
  const ask = (input: string) => playRun(stage, { agent: 'assistant', input });
  print(
    '# Three questions at once: three calls in one turn, run side by side, results in the order of the calls.',
  );
  await ask("What day is it, how much is 150 * 3, and what's the weather in Bogotá?");
  print('');
  print('# One answer is part of the next question: one call a turn.');
  await ask('Temperature in Madrid times 3');
}
