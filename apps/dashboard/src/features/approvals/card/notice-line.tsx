import { CircleAlert } from 'lucide-react';
import { InertText } from '../../../kit/inert-text';
import type { Refusal } from '../wording/refusal';

/** Why something was not done, right above of what can be done now. */
export function NoticeLine({ title, detail }: Pick<Refusal, 'title' | 'detail'>) {
  return (
    <div role="alert" className="flex animate-arrive items-start gap-2 bg-red-soft px-5 py-2.5">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-red" />
      <p>
        <span className="font-medium">{title}.</span> <InertText text={detail} />
      </p>
    </div>
  );
}
