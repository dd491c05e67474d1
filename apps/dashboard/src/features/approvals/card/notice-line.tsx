import { CircleAlert, Info } from 'lucide-react';
import { cn } from '../../../kit/cn';
import { InertText } from '../../../kit/inert-text';
import type { Refusal } from '../wording/refusal';

/** Why something was not done, right above of what can be done now. */
export function NoticeLine({ title, detail, calm = false }: Pick<Refusal, 'title' | 'detail' | 'calm'>) {
  const Icon = calm ? Info : CircleAlert;
  return (
    <div
      role={calm ? 'status' : 'alert'}
      className={cn('flex animate-arrive items-start gap-2 px-5 py-2.5', calm ? 'bg-hover' : 'bg-red-soft')}
    >
      <Icon aria-hidden className={cn('mt-0.5 size-4 shrink-0', calm ? 'text-muted' : 'text-red')} />
      <p>
        <span className="font-medium">{title}.</span> <InertText text={detail} />
      </p>
    </div>
  );
}
