import { randomUUID } from 'node:crypto';
import { playRun, type Stage } from '../play-run.js';

const TASK = 'Book a team meeting between 2026-11-02 and 2026-11-06 and tell the attendees.';

/** Plays scenario 2, for a new team each time: as it should go, and with three kinds of trouble. */
export async function demonstrateCalendar(stage: Stage): Promise<void> {
  const { print } = stage;
  const book = async (heading: string, trouble: string | null) => {
    print(heading);
    const subject = { id: `team-${randomUUID()}`, ...(trouble === null ? {} : { trouble }) };
    await playRun(stage, { agent: 'calendar', input: TASK, subject });
    print('');
  };
  await book('# A slot, a room, the event, the attendees.', null);
  await book('# No room in the first slot: the agent goes on to the next.', 'no_room');
  await book(
    '# The answer of create_event is lost after the effect: the agent looks, and creates nothing twice.',
    'lost_answer',
  );
  await book(
    '# One of six mails comes back: the notification is partial, and the agent says so.',
    'bounced_mail',
  );
}
