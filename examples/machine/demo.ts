import { playRun, type Stage } from '../play-run.js';
import { SCRIPTED_CASES } from './script.js';
import { WIRE_CASES } from './wire-cases.js';

/** Plays scenario 5: every branch of a run, first those that a model's word decides, then those of the wire. */
export async function demonstrateMachine(stage: Stage): Promise<void> {
  const { print } = stage;
  const play = async (agent: string, cases: Readonly<Record<string, unknown>>) => {
    for (const input of Object.keys(cases)) {
      await playRun(stage, { agent, input });
      print('');
    }
  };
  print('# What a model says at the end of a reply.');
  await play('machine', SCRIPTED_CASES);
  print('# What comes over the wire, from a small server of this example.');
  await play('machine_wire', WIRE_CASES);
}
